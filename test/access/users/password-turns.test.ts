import { expect } from 'chai';
import { AddressHistory } from '../../../src/access/sign-on/address-history.js';
import { hashPassword, passwordMatches } from '../../../src/access/users/password-hash.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';

const MOST_REMEMBERED_ADDRESSES = 50_000;

const PASSWORD = 'correct-Horse-9';
/** More than may wait. */
const GUESSERS = 300;
/** Done until a right one is that comes next, itself among them: two were at work, and the other thread does some beside it. */
const MOST_UNTIL_RIGHT = 7;

describe('passwords that are to be checked all at once', () => {
  const guess = (from: string) => passwordMatches('guess', undefined, from, CHEAP_PASSWORDS);
  let stored: string;

  before(async () => {
    stored = await hashPassword(PASSWORD, CHEAP_PASSWORDS);
  });

  /** What comes to an end, in that order. */
  function recorded() {
    const ends: string[] = [];
    const note = (what: string, check: Promise<boolean>) =>
      check.then(
        (isRight) => ends.push(isRight ? what : `${what}: wrong`),
        (error: { code?: unknown }) => ends.push(`${what}: ${error.code}`),
      );
    return {
      ends,
      guess: (from: string) => note('guess', guess(from)),
      withBrowser: (who: string, from: string) =>
        note(who, passwordMatches(PASSWORD, stored, from, CHEAP_PASSWORDS, `device of ${who}`)),
      right: (who: string, from: string) => note(who, passwordMatches(PASSWORD, stored, from, CHEAP_PASSWORDS)),
      turnedAway: () => ends.filter((end) => end === 'guess: SVC_ERR_SERVICE_BUSY').length,
    };
  }

  it('are those of addresses that have guessed last, and who is not one of them is neither refused nor kept waiting', async () => {
    const guessers = Array.from({ length: GUESSERS }, (_, at) => `10.7.${Math.floor(at / 250)}.${at % 250}`);
    for (const from of guessers) await guess(from);
    const { ends, right, ...flood } = recorded();
    await right('known', '192.0.2.1');

    const guesses = guessers.map((from) => flood.guess(from));
    await Promise.all([...guesses, right('new', '192.0.2.2'), right('known', '192.0.2.1')]);
    // two were at work already; a thread of a busy machine may end several guesses before another thread ends one
    expect(ends.filter((end) => !end.endsWith('BUSY')).slice(1, 12)).to.include.members(['known', 'new']);
    expect(flood.turnedAway()).to.be.greaterThan(0);
    expect(ends.filter((end) => end.startsWith('guess'))).to.have.length(GUESSERS);
  });

  it('are those of networks in turn: each guess from an address of its own keeps nobody of another network away', async () => {
    const networks = ['10.8.1', '10.8.2', '2001:db8:8'];
    for (const network of networks) await guess(network.includes(':') ? `${network}:0::/64` : `${network}.0`);
    const { ends, right, ...flood } = recorded();
    const guesses = Array.from({ length: GUESSERS }, (_, at) => {
      const network = networks[at % networks.length] ?? '';
      const own = 1 + Math.floor(at / networks.length);
      return flood.guess(network.includes(':') ? `${network}:${own.toString(16)}::/64` : `${network}.${own}`);
    });
    const users = ['192.0.3.1', '192.0.4.1', '2001:db8:9:1::/64'].map((from) => right('user', from));
    await Promise.all([...guesses, ...users]);
    const checked = ends.filter((end) => !end.endsWith('BUSY'));
    expect(checked.slice(0, 6).filter((end) => end === 'user')).to.have.length(users.length);
  });

  it('give way to those of another network where no more may wait, though each is of another address', async () => {
    await guess('10.11.1.1');
    await guess('10.11.2.1');
    const { ends, right, ...flood } = recorded();
    const guesses = Array.from({ length: GUESSERS }, (_, at) => flood.guess(`10.11.1.${2 + (at % 250)}`));
    // whose network has guessed once as well
    await right('user', '10.11.2.2');
    expect(ends.at(-1)).to.equal('user');
    expect(ends.filter((end) => end === 'guess: wrong').length).to.be.at.most(MOST_UNTIL_RIGHT);
    await Promise.all(guesses);
  });

  it('come next where there was no room for them: guesses from everywhere turn nobody away twice', async () => {
    const { ends, right, ...flood } = recorded();
    const guesses = Array.from({ length: GUESSERS }, (_, at) => flood.guess(`10.9.${at}.1`));
    await right('new', '192.0.5.1');
    expect(ends.at(-1)).to.equal('new: SVC_ERR_SERVICE_BUSY');
    const others = Array.from({ length: GUESSERS }, (_, at) => flood.guess(`10.10.${at}.1`));
    const before = ends.length;
    await right('new', '192.0.5.1');
    const meanwhile = ends.slice(before).filter((end) => !end.endsWith('BUSY'));
    expect(meanwhile.at(-1)).to.equal('new');
    expect(meanwhile.length).to.be.at.most(MOST_UNTIL_RIGHT);
    await Promise.all([...guesses, ...others]);
  });

  it('come first where they are typed into a browser that has had a right one', async () => {
    await guess('10.12.1.1');
    const { ends, withBrowser, ...flood } = recorded();
    const guesses = Array.from({ length: GUESSERS }, (_, at) => flood.guess(`10.13.${at}.1`));
    await withBrowser('user', '10.12.1.1');
    expect(ends.filter((end) => !end.endsWith('BUSY')).length).to.be.at.most(MOST_UNTIL_RIGHT);
    expect(ends.at(-1)).to.equal('user');
    await Promise.all(guesses);
  });

  it('come before those of networks that have tried more', async () => {
    const { ends, right, ...flood } = recorded();
    const round = () => Array.from({ length: GUESSERS }, (_, at) => flood.guess(`10.14.${at}.1`));
    for (let tries = 0; tries < 2; tries++) await Promise.all(round());
    const before = ends.length;
    const guesses = round();
    await right('new', '192.0.6.1');
    const meanwhile = ends.slice(before).filter((end) => !end.endsWith('BUSY'));
    expect(meanwhile.at(-1)).to.equal('new');
    expect(meanwhile.length).to.be.at.most(MOST_UNTIL_RIGHT);
    await Promise.all(guesses);
  });
});

describe('what is remembered of addresses', () => {
  const MINUTE = 60_000;
  let now = 0;
  const history = new AddressHistory(() => now);

  it('is who had a right password, for a week, and who had none but wrong ones, for ten minutes', () => {
    expect(history.rankOf('192.0.2.1')).to.equal('new');
    history.note('192.0.2.1', false);
    expect(history.rankOf('192.0.2.1')).to.equal('guessed');
    now += 10 * MINUTE;
    expect(history.rankOf('192.0.2.1')).to.equal('new');
    history.note('192.0.2.1', true);
    history.note('192.0.2.1', false);
    expect(history.rankOf('192.0.2.1')).to.equal('known');
    now += 7 * 24 * 60 * MINUTE - 1;
    expect(history.rankOf('192.0.2.1')).to.equal('known');
    now += 1;
    expect(history.rankOf('192.0.2.1')).to.equal('new');
  });

  it('is which networks wrong ones came from, and who was turned away, for ten minutes', () => {
    history.note('198.51.100.1', false);
    history.noteTurnedAway('198.51.100.2');
    history.noteTurnedAway('203.0.113.1');
    const ranks = () => ['198.51.100.2', '198.51.100.3', '203.0.113.1', '203.0.113.2'].map((of) => history.rankOf(of));
    const remembered = ['came again from a network of guesses', 'new from a network of guesses', 'came again', 'new'];
    expect(ranks()).to.deep.equal(remembered);
    now += 10 * MINUTE - 1;
    expect(ranks()).to.deep.equal(remembered);
    now += 1;
    expect(ranks()).to.deep.equal(['new', 'new', 'new', 'new']);
  });

  it('is how often networks have had to wait, for ten minutes after the last time', () => {
    now += 10 * MINUTE;
    const [quiet, busy] = [2, 8];
    const ranks: string[] = [];
    for (let tries = 0; tries <= busy; tries++) {
      history.noteTry(`192.0.7.${tries}`);
      ranks.push(history.rankOf('192.0.7.200'));
    }
    expect(ranks).to.deep.equal([
      ...Array.from({ length: quiet }, () => 'new'),
      ...Array.from({ length: busy - quiet }, () => 'new from a busy network'),
      'from a network that tries without end',
    ]);
    history.noteTurnedAway('192.0.8.1');
    for (let tries = 0; tries <= quiet; tries++) history.noteTry('192.0.8.1');
    expect(history.rankOf('192.0.8.1')).to.equal('came again from a busy network');
    now += 10 * MINUTE;
    expect(['192.0.7.200', '192.0.8.1'].map((of) => history.rankOf(of))).to.deep.equal(['new', 'new']);
  });

  it('is bounded: the oldest is forgotten', () => {
    for (let at = 0; at < MOST_REMEMBERED_ADDRESSES; at++) history.note(`address ${at}`, true);
    expect(history.rankOf('address 0')).to.equal('known');
    history.note('one more', true);
    expect(['address 0', 'address 1', 'one more'].map((of) => history.rankOf(of))).to.deep.equal([
      'new',
      'known',
      'known',
    ]);
  });
});
