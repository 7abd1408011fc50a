import { expect } from 'chai';
import { durationText } from '../../../src/lib/text/duration-text.js';
import { dayText, instantText } from '../../../src/lib/text/instant-text.js';

const SECOND = 1_000;
const HOUR = 3_600_000;
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('times and durations in a language', () => {
  it('have the order and signs of the language, in UTC', () => {
    for (const instant of ['2026-11-01T09:07:05.123Z', new Date(Date.UTC(2026, 10, 1, 9, 7, 5))]) {
      expect(instantText(instant, 'en')).to.equal('2026-11-01 09:07:05 UTC');
      expect(instantText(instant, 'de')).to.equal('01.11.2026, 09:07:05 UTC');
      expect(instantText(instant, 'fr')).to.equal('01/11/2026 09:07:05 UTC');
    }
    expect(instantText('2026-11-01T00:00:00Z', 'de')).to.equal('01.11.2026, 00:00:00 UTC');
  });

  it('have days without a time', () => {
    expect(['en', 'de', 'fr'].map((language) => dayText('2026-02-28', language))).to.deep.equal([
      '2026-02-28',
      '28.02.2026',
      '28/02/2026',
    ]);
    expect(dayText('never', 'de')).to.equal('never');
  });

  it('have two units at most', () => {
    const lengths = [0, 59 * SECOND, 60 * SECOND, 2 * HOUR + 5 * 60 * SECOND, 76 * HOUR, 48 * HOUR];
    expect(lengths.map((length) => plain(durationText(length)))).to.deep.equal([
      '0 s',
      '59 s',
      '1 min',
      '2 h 5 min',
      '3 d 4 h',
      '2 d',
    ]);
    expect(lengths.map((length) => plain(durationText(length, 'de')))).to.deep.equal([
      '0 Sek.',
      '59 Sek.',
      '1 Min.',
      '2 Std. 5 Min.',
      '3 Tg. 4 Std.',
      '2 Tg.',
    ]);
    expect(lengths.map((length) => plain(durationText(length, 'fr')))).to.deep.equal([
      '0 s',
      '59 s',
      '1 min',
      '2 h 5 min',
      '3 j 4 h',
      '2 j',
    ]);
  });
});
