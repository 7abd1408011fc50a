import { expect } from 'chai';
import { kindOfText } from '../../client/terminal/macros/kind-of-text.js';
import { readValue, ValueFault } from '../../src/tn3270/conversation/values.js';

const isRead = (text: string, as: 'integer' | 'decimal') => !(readValue(text, { as }) instanceof ValueFault);
/** What the reader of services takes a text for: it is its own implementation, and decides. */
const kindRead = (text: string) =>
  isRead(text, 'integer') ? 'integer' : isRead(text, 'decimal') ? 'decimal' : 'string';

describe('the kind that is proposed for a marked text', () => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    integer: ['7', ' 12 ', '-7', '7-', '7 CR', '1,234', '+1,234,567', '123456789012345', '- 5'],
    decimal: ['12540.75', '1,234.56', '125.50-', '125.50CR', '1.5 DB', '-.5', '12345678901234567', '0.1'],
    string: ['', 'ADA', '1,23', '1.234,56', '$12.50', '-5-', '- 5 CR', '1.2.3', '12.', '5 %', '1 2', '2026-11-22', '.'],
  };
  for (const [kind, texts] of Object.entries(kinds)) {
    for (const text of texts) it(`is ${kind} for "${text}"`, () => expect(kindOfText(text)).to.equal(kind));
  }

  it('is what the reader of services takes, at its bounds too', () => {
    const digits = (count: number) => '9'.repeat(count);
    const texts = [
      ...Object.values(kinds).flat(),
      digits(15),
      digits(16),
      digits(40),
      digits(41),
      `${digits(39)}.9`,
      `${digits(40)}.9`,
    ];
    for (const sign of ['', '+', '-']) {
      for (const body of ['1', '12.5', '1,234', '12,34', ',123', '1,234.5', '1234,567', '.5', '5.', '..5', '00.50']) {
        for (const behind of ['', '-', '+', 'CR', ' DB', 'XX']) texts.push(`${sign}${body}${behind}`);
      }
    }
    for (const text of texts) expect(kindOfText(text), text).to.equal(kindRead(text));
  });
});
