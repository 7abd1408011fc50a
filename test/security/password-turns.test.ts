import { expect } from 'chai';
import { AddressHistory, MOST_REMEMBERED_ADDRESSES } from '../../src/security/address-history.js';
import { hashPassword, passwordMatches } from '../../src/security/password-hash.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';

const PASSWORD = 'correct-Horse-9';
/** More than may wait, each from another address: so none has two that could give way. */
const GUESSERS = 300;

describe('passwords that are to be checked all at once', () => {
  const guess = (from: string) => passwordMatches('guess', undefined, from, CHEAP_PASSWORDS);

  it('are those of addresses that have guessed last, and who is not one of them is neither refused nor kept waiting', async () => {
    const stored = await hashPassword(PASSWORD, CHEAP_PASSWORDS);
    const right = (from: string) => passwordMatches(PASSWORD, stored, from, CHEAP_PASSWORDS);
    const guessers = Array.from({ length: GUESSERS }, (_, at) => `10.7.${Math.floor(at / 250)}.${at % 250}`);
    for (const from of guessers) await guess(from);
    expect(await right('192.0.2.1'), 'an address that is known').to.equal(true);

    const ends: string[] = [];
    const refused: unknown[] = [];
    const told = (what: string) => () => ends.push(what);
    const guesses = guessers.map((from) =>
      guess(from).then(told('guess'), (error: { code?: unknown }) => refused.push(error.code)),
    );
    const others = [right('192.0.2.2').then(told('new')), right('192.0.2.1').then(told('known'))];
    await Promise.all([...guesses, ...others]);
    expect(new Set(refused)).to.deep.equal(new Set(['SVC_ERR_SERVICE_BUSY']));
    // two were at work already; two threads need not end in the order they began
    expect(ends.slice(0, 5)).to.include.members(['known', 'new']);
    expect(ends.filter((end) => end === 'guess').length + refused.length).to.equal(GUESSERS);
  });
});

describe('what is remembered of addresses', () => {
  const MINUTE = 60_000;
  let now = 0;
  const history = new AddressHistory(() => now);

  it('is who had a right password, for a week, and who had none but wrong ones, for ten minutes', () => {
    expect(history.rankOf('192.0.2.1')).to.equal(1);
    history.note('192.0.2.1', false);
    expect(history.rankOf('192.0.2.1')).to.equal(2);
    now += 10 * MINUTE;
    expect(history.rankOf('192.0.2.1')).to.equal(1);
    history.note('192.0.2.1', true);
    history.note('192.0.2.1', false);
    expect(history.rankOf('192.0.2.1')).to.equal(0);
    now += 7 * 24 * 60 * MINUTE - 1;
    expect(history.rankOf('192.0.2.1')).to.equal(0);
    now += 1;
    expect(history.rankOf('192.0.2.1')).to.equal(1);
  });

  it('is bounded: the oldest is forgotten', () => {
    for (let at = 0; at < MOST_REMEMBERED_ADDRESSES; at++) history.note(`address ${at}`, true);
    expect(history.rankOf('address 0')).to.equal(0);
    history.note('one more', true);
    expect([history.rankOf('address 0'), history.rankOf('address 1'), history.rankOf('one more')]).to.deep.equal([
      1, 0, 0,
    ]);
  });
});
