import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { Actor, type AnyActor } from 'xstate';
import type { BrowserSession } from '../../src/sessions/browser-session.js';
import { eventually } from '../support/eventually.js';
import { holdLongTimers } from '../support/hold-long-timers.js';
import { becomes, HostedSessions, submission } from './hosted-session.js';

/** An input field of eight at 1, protected from 9 on, the cursor at 1. */
const INPUT = 'f5c3 1d40 13 0000000000000000 1d60';
/** The same, not displayed. */
const HIDDEN = 'f5c3 1d4c 13 0000000000000000 1d60';
/** Write, restoring the keyboard. */
const UNLOCK = 'f1c3';
const PASSWORD = 1;

// a wait that ends by one of the chart's times of five seconds would be a failure here: it does not end
describe('what is submitted to a browser session', () => {
  let sessions: HostedSessions;
  let letGo: () => void;

  beforeEach(async () => {
    letGo = holdLongTimers(5_000);
    sessions = await HostedSessions.start();
  });

  afterEach(async () => {
    await sessions.stop();
    letGo();
  });

  const ended = (session: BrowserSession) => eventually(() => session.end);

  describe('with encrypted fields', () => {
    async function encrypted(data: string): Promise<{ session: BrowserSession; seal: ReturnType<typeof sealer> }> {
      const session = await sessions.beginWith(data, { crypt: 'CRYPT3270' });
      await sessions.service.prepareCrypto(session, [], ['CRYPT3270']);
      return { session, seal: sealer(session) };
    }

    /** Encrypts as the contract says, under a key of its own each time: 24 bytes of key and 8 of IV. */
    function sealer({ crypto }: BrowserSession) {
      const part = (name: 'MODULUS' | 'EXPONENT') => {
        const hex = crypto?.publicKey(name) ?? '';
        return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
      };
      const jwk = { kty: 'RSA', n: part('MODULUS'), e: part('EXPONENT') };
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      return (clear: string) => {
        const secret = randomBytes(32);
        const cipher = createCipheriv('des-ede3-cbc', secret.subarray(0, 24), secret.subarray(24));
        const wire = Buffer.concat([cipher.update(clear), cipher.final()]).toString('hex');
        const padded = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, secret);
        return { wire, wrappedKey: padded.toString('hex') };
      };
    }

    it('uses the key of each submit for its own values, though others come in between', async () => {
      const { session, seal } = await encrypted(HIDDEN);
      await session.guarded.enter(submission([]));
      const answers = ['first', 'second'].map((clear) => {
        const { wire, wrappedKey } = seal(clear);
        return session.guarded.enter(submission([{ address: PASSWORD, wire }], { wrappedKey }));
      });
      await sessions.host.hears('7d 40c1 ffef');
      await sessions.draws(UNLOCK);
      await sessions.host.hears('11 40c1 868999a2a3 ffef');
      await sessions.draws(UNLOCK);
      await sessions.host.hears('11 40c1 a28583969584 ffef');
      expect(await Promise.all(answers)).to.deep.equal([{ kind: 'done' }, { kind: 'done' }]);
      expect(sessions.logged, 'secrets are nobody’s').to.not.match(/first|second|868999a2a3|a28583969584/);
    });

    it('tells a password that was left empty from one that does not decrypt', async () => {
      const { session } = await encrypted('f5c3 29 02 c04c c102 13 0000000000000000 1d60');
      for (let times = 0; times < 6; times++) {
        expect(await session.guarded.enter(submission([{ address: PASSWORD, wire: '' }]))).to.deep.equal({
          kind: 'refused',
          fieldId: 'V1',
          reason: 'mandatoryEntry',
        });
      }
      expect(session.isOpen).to.equal(true);
    });

    it('does not tell what a value decrypts to, displayed or not: a wrong character looks like undecipherable', async () => {
      for (const data of [INPUT, HIDDEN]) {
        const { session, seal } = await encrypted(data);
        for (const clear of ['tab\t', '日']) {
          const { wire, wrappedKey } = seal(clear);
          const values = [{ address: PASSWORD, wire, isEncrypted: true }];
          expect(await session.guarded.enter(submission(values, { wrappedKey })), clear).to.deep.equal({
            kind: 'undecipherable',
          });
        }
      }
    });

    it('tells 50 times that a decrypted value is too long, which is neither a failure nor a success', async () => {
      for (const data of [INPUT, HIDDEN]) {
        const { session, seal } = await encrypted(data);
        const enter = (clear: string) => {
          const { wire, wrappedKey } = seal(clear);
          return session.guarded.enter(submission([{ address: PASSWORD, wire, isEncrypted: true }], { wrappedKey }));
        };
        const undecipherable = { kind: 'undecipherable' };
        for (let times = 0; times < 4; times++) expect(await enter('日')).to.deep.equal(undecipherable);
        for (let times = 0; times < 50; times++) {
          expect(await enter('123456789')).to.deep.equal({ kind: 'refused', fieldId: 'V1', reason: 'tooLong' });
        }
        expect(session.isOpen).to.equal(true);
        // had the lengths been successes, this failure would be the first in a row
        expect(await enter('123456789')).to.deep.equal(undecipherable);
        expect(await ended(session)).to.deep.equal(undecipherable);
      }
    });

    it('tells that a decrypted value does not fill its field', async () => {
      const { session, seal } = await encrypted(
        'f5c3 29 02 c04c c102 13 0000000000000000 1d60'.replace('c102', 'c104'),
      );
      const { wire, wrappedKey } = seal('abc');
      expect(
        await session.guarded.enter(submission([{ address: PASSWORD, wire, isEncrypted: true }], { wrappedKey })),
      ).to.deep.equal({ kind: 'refused', fieldId: 'V1', reason: 'mandatoryFill' });
    });

    it('names an unknown or protected position of a value that decrypts: neither depends on the value', async () => {
      for (const data of [INPUT, HIDDEN]) {
        const { session, seal } = await encrypted(data);
        for (const [address, fieldId, reason] of [
          [3, 'V3', 'unknownField'],
          [10, 'Va', 'goElsewhere'],
        ] as const) {
          const { wire, wrappedKey } = seal('abc');
          const values = [{ address, wire, isEncrypted: true }];
          expect(await session.guarded.enter(submission(values, { wrappedKey }))).to.deep.equal({
            kind: 'refused',
            fieldId,
            reason,
          });
        }
      }
    });

    it('tells nothing of a value under a wrong key', async () => {
      const { session, seal } = await encrypted(HIDDEN);
      const { wire } = seal('123456789');
      const { wrappedKey } = seal('other');
      expect(await session.guarded.enter(submission([{ address: PASSWORD, wire }], { wrappedKey }))).to.deep.equal({
        kind: 'undecipherable',
      });
    });

    it('counts failures in a row, a displayed field that decrypts being a success', async () => {
      const { session, seal } = await encrypted(INPUT);
      const fail = async () => {
        await session.guarded.enter(submission([{ wire: 'zz', isEncrypted: true }]));
      };
      for (let times = 0; times < 4; times++) await fail();
      const { wire, wrappedKey } = seal('abc');
      expect(await session.guarded.enter(submission([{ wire, isEncrypted: true }], { wrappedKey }))).to.deep.equal({
        kind: 'done',
      });
      await sessions.host.hears('11 40c1 818283');
      await sessions.draws(UNLOCK);
      for (let times = 0; times < 4; times++) await fail();
      expect(session.isOpen).to.equal(true);
      await fail();
      expect(await ended(session)).to.deep.equal({ kind: 'undecipherable' });
    });

    it('ends at the fiftieth failure in all, with one that decrypts after each fourth', async () => {
      const { session, seal } = await encrypted(INPUT);
      for (let failures = 1; failures <= 50; failures++) {
        expect(session.isOpen, `before failure ${failures}`).to.equal(true);
        await session.guarded.enter(submission([{ wire: 'zz', isEncrypted: true }]));
        if (failures % 4 !== 0) continue;
        const { wire, wrappedKey } = seal('abc');
        await session.guarded.enter(submission([{ wire, isEncrypted: true }], { wrappedKey }));
        await sessions.host.hears('11 40c1 818283');
        await sessions.draws(UNLOCK);
      }
      expect(await ended(session)).to.deep.equal({ kind: 'undecipherable' });
    });

    it('has one key pair, however many of its pages wait for it', async () => {
      const session = await sessions.beginWith(INPUT, { crypt: 'CRYPT3270' });
      const waiting = Array.from({ length: 12 }, () => sessions.service.prepareCrypto(session, [], ['CRYPT3270']));
      // three of an address may wait: as many pages of one session are one that waits
      await Promise.all(waiting);
      expect(session.crypto?.publicKey('MODULUS')).to.match(/^[0-9a-f]{256}$/i);
    });

    it('tells every page of a session that the pool refuses it, and asks again for the next', async () => {
      // of one address a quarter of 10 may wait: three
      const begun: BrowserSession[] = [];
      for (let count = 1; count <= 4; count++) begun.push(await sessions.beginWith(INPUT, { crypt: 'CRYPT3270' }));
      const [session, ...others] = begun as [BrowserSession, ...BrowserSession[]];
      const prepare = (which: BrowserSession) => sessions.service.prepareCrypto(which, [], ['CRYPT3270']);
      const waiting = others.map(prepare);
      for (const outcome of await Promise.allSettled([prepare(session), prepare(session)])) {
        expect(outcome).to.have.nested.property('reason.code', 'SVC_ERR_SERVICE_BUSY');
      }
      expect([session.isOpen, session.crypto?.publicKey('MODULUS')]).to.deep.equal([true, undefined]);
      await Promise.all(waiting);
      await prepare(session);
      expect(session.crypto?.publicKey('MODULUS')).to.match(/^[0-9a-f]{256}$/i);
    });

    it('shows its keys in no snapshot of its actor', async () => {
      const actors: AnyActor[] = [];
      const start = Actor.prototype.start;
      Actor.prototype.start = function (this: AnyActor) {
        actors.push(this);
        return start.call(this) as typeof this;
      };
      try {
        const { session, seal } = await encrypted(HIDDEN);
        const { wire, wrappedKey } = seal('zQ7xKw9v');
        await session.guarded.enter(submission([{ address: PASSWORD, wire }], { wrappedKey }));
        await sessions.host.hears('11 40c1 a9d8');
        const snapshots = actors.map((actor) => actor.getSnapshot());
        expect(snapshots.find(({ machine }) => machine?.id === 'browserSession')?.value.key).to.equal('keyed');
        const kept = snapshots.map(({ machine: _machine, _nodes, ...rest }) => rest);
        const persisted = actors.map((actor) => actor.getPersistedSnapshot());
        const seen = JSON.stringify(persisted) + inspect(kept, { depth: 5, showHidden: true });
        expect(seen).to.include('awaitingHost');
        expect(seen).to.not.match(/zQ7xKw9v|PRIVATE|PrivateKeyObject|KeyPair {/);
        for (const secret of [wire, wrappedKey, session.crypto?.publicKey('MODULUS') ?? '?']) {
          expect(seen).to.not.include(secret);
        }
      } finally {
        Actor.prototype.start = start;
      }
    });

    it('drops its keys when it ends', async () => {
      const { session } = await encrypted(INPUT);
      expect(session.crypto?.publicKey('MODULUS')).to.match(/^[0-9a-f]{256}$/i);
      session.disconnect();
      await ended(session);
      expect(session.crypto?.publicKey('MODULUS')).to.equal(undefined);
      await sessions.service.prepareCrypto(session, [], ['CRYPT3270']);
      expect(session.crypto?.publicKey('MODULUS'), 'and gets none any more').to.equal(undefined);
    });
  });

  describe('takes of a form', () => {
    /** A filled field at 1, another at 7, a hidden one at 13. */
    const TWO = 'f5c3 1d40 13 8182830000 1d40 8485860000 1d4c 8788890000 1d60';

    async function sentFor(values: Parameters<typeof submission>[0], further: Parameters<typeof submission>[1] = {}) {
      const session = await sessions.beginWith(TWO);
      const base = session.screen.state.revision;
      expect(await session.guarded.enter(submission(values, { base, ...further }))).to.deep.equal({ kind: 'done' });
      // behind the last of the negotiation: a header of five bytes, the record, its end
      const negotiationEnd = 'fff0';
      const heard = () => sessions.host.received.toString('hex');
      await becomes(() => heard().endsWith('ffef'));
      return heard().slice(heard().lastIndexOf(negotiationEnd) + negotiationEnd.length + 10, -4);
    }

    it('the last of two values for a field', async () => {
      const values = [
        { address: 1, wire: 'too long for it' },
        { address: 1, wire: 'x' },
      ];
      expect(await sentFor(values)).to.equal('7d40c11140c1a7');
    });

    it('empty fields for inputs of its page that did not come back, hidden ones apart', async () => {
      const offered = [1, 7, 13];
      expect(await sentFor([{ address: 1, wire: 'abc' }], { offered })).to.equal('7d40c11140c7');
    });

    it('nothing for inputs of a page that showed another screen', async () => {
      const stale = { offered: [1, 7, 13], base: { answerTo: undefined } };
      expect(await sentFor([{ address: 1, wire: 'abc' }], stale)).to.equal('7d40c1');
    });

    it('what came, and nothing else, under MDT-IF-RECEIVED', async () => {
      const further = { offered: [1, 7, 13], modifiesReceived: true };
      expect(await sentFor([{ address: 1, wire: 'abc' }], further)).to.equal('7d40c11140c1818283');
    });

    it('nothing with a key that sends no fields', async () => {
      const key = { kind: 'attention', name: 'PA1' } as const;
      expect(await sentFor([{ address: 1, wire: 'x' }], { key })).to.equal('6c');
    });
  });

  it('is typed to a host in line mode (NVT): positions that nobody typed into are sent as blanks', async () => {
    const session = sessions.connect();
    await sessions.host.send(Buffer.from('login: ').toString('hex'));
    await becomes(() => session.screen.partner === 'line');
    await session.settled();
    const values = [{ address: 7, wire: 'ab\u0000c d' }];
    const base = session.screen.state.revision;
    expect(await session.guarded.enter(submission(values, { base }))).to.deep.equal({ kind: 'done' });
    // ab c d, carriage return
    await becomes(() => sessions.host.received.includes(0x0d));
    expect(sessions.host.received.toString('latin1')).to.match(/^ab c d\r/);
  });
});
