import { expect } from 'chai';
import { RepeatedStacks } from '../../../src/lib/log/log.js';

const MOST_ERROR_KINDS = 1_000;

/** An error of its own kind. */
function errorOf(kind: number, message = 'it broke'): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}\n    at place (file.js:${kind}:1)`;
  return error;
}

describe('stacks of repeated errors', () => {
  let now = 0;
  let stacks: RepeatedStacks;
  const hasStack = (error: Error) => 'stack' in Object(JSON.parse(JSON.stringify(stacks.written(error))));

  beforeEach(() => {
    now = 5_000;
    stacks = new RepeatedStacks(() => now);
  });

  it('are written once a minute, whatever the messages', () => {
    expect(hasStack(errorOf(1, 'request 1'))).to.equal(true);
    now += 59_999;
    expect(hasStack(errorOf(1, 'request 2'))).to.equal(false);
    now += 1;
    expect(hasStack(errorOf(1, 'request 3'))).to.equal(true);
    now += 59_999;
    expect(hasStack(errorOf(1, 'request 4'))).to.equal(false);
  });

  it('tell apart places, names, codes and causes', () => {
    const named = Object.assign(errorOf(1), { name: 'HostConnectionError' });
    const coded = Object.assign(errorOf(1), { code: 'ENOSPC' });
    const caused = Object.assign(errorOf(1), { cause: errorOf(3) });
    for (const error of [errorOf(1), errorOf(2), named, coded, caused]) expect(hasStack(error)).to.equal(true);
    for (const error of [errorOf(1), errorOf(2), named, coded, caused]) expect(hasStack(error)).to.equal(false);
  });

  it(`are remembered of ${MOST_ERROR_KINDS} kinds, and not of one more`, () => {
    for (let kind = 0; kind < MOST_ERROR_KINDS; kind++) hasStack(errorOf(kind));
    expect(hasStack(errorOf(0)), 'at the bound').to.equal(false);
    hasStack(errorOf(MOST_ERROR_KINDS));
    expect(hasStack(errorOf(MOST_ERROR_KINDS))).to.equal(false);
    expect(hasStack(errorOf(0)), 'one past it').to.equal(true);
  });

  it('leave values alone that are no errors', () => {
    for (const value of ['text', 7, undefined, null, { a: 1 }]) expect(stacks.written(value)).to.deep.equal(value);
  });
});
