import { expect } from 'chai';
import { MinuteFigures } from '../../src/operation/minute-figures.js';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 5, 1, 12);

describe('figures of the last hour', () => {
  let now: number;
  let sessions: number;
  let figures: MinuteFigures;

  beforeEach(() => {
    now = NOON;
    sessions = 0;
    figures = new MinuteFigures({ sessions: () => sessions, now: () => now });
  });

  it('count the requests of each minute', () => {
    figures.countRequest();
    now += MINUTE - 1;
    figures.countRequest();
    now += 1;
    figures.countRequest();
    expect(figures.lastHour).to.deep.equal([
      { at: NOON, sessions: 0, requests: 2 },
      { at: NOON + MINUTE, sessions: 0, requests: 1 },
    ]);
  });

  it('hold the most sessions that were seen in a minute', () => {
    for (const seen of [2, 7, 3]) {
      sessions = seen;
      expect(figures.lastHour).to.have.lengthOf(1);
    }
    now += MINUTE;
    expect(figures.lastHour.map((minute) => minute.sessions)).to.deep.equal([7, 3]);
  });

  it('are 60 minutes, and no more', () => {
    for (let minute = 0; minute < 60; minute++) {
      now = NOON + minute * MINUTE;
      figures.countRequest();
    }
    expect(figures.lastHour).to.have.lengthOf(60);
    expect(figures.lastHour[0]?.at).to.equal(NOON);
    now += MINUTE;
    expect(figures.lastHour).to.have.lengthOf(60);
    expect(figures.lastHour[0]?.at).to.equal(NOON + MINUTE);
    // the machine slept
    now += 59 * MINUTE;
    expect(figures.lastHour.map(({ at }) => at)).to.deep.equal([NOON + 60 * MINUTE, now]);
  });
});
