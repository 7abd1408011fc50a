import { expect } from 'chai';
import type { BrowserSessionEnd } from '../../machines/browser-session.machine.js';
import type { BrowserSession } from '../../src/sessions/browser-session.js';
import { eventually } from '../support/eventually.js';
import { holdLongTimers } from '../support/hold-long-timers.js';
import { becomes, HostedSessions, submission } from './hosted-session.js';

/** An input field of eight at 1, protected from 9 on, the cursor at 1. */
const INPUT = 'f5c3 1d40 13 0000000000000000 1d60';
/** The same, not displayed. */
const HIDDEN = 'f5c3 1d4c 13 0000000000000000 1d60';
const BIND_RECORD = '0300000000 31010303b1903080008787f88700028000000000 18501850 7f 0000 00 ffef';
/** Write, restoring the keyboard. */
const UNLOCK = 'f1c3';

// a wait that ends by one of the chart's times of five seconds would be a failure here: it does not end
describe('browser session', () => {
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

  describe('and its host', () => {
    it('shows the first screen when it is there', async () => {
      const session = await sessions.begin();
      expect(session.isSettled).to.equal(false);
      const shown = await sessions.beginWith(INPUT);
      expect([shown.isSettled, shown.isOpen]).to.deep.equal([true, true]);
    });

    it('waits for the host after a key, and no longer than until it gives the keyboard back', async () => {
      const session = await sessions.beginWith(INPUT);
      const submitted = session.guarded.submit(submission([{ wire: 'abc' }]));
      await sessions.host.hears('7d 40c1 11 40c1 818283');
      expect(session.isSettled).to.equal(false);
      await sessions.draws('f1c1 11 5d7f c1');
      await becomes(() => session.screen.image.cells[1_919] === 'A');
      expect(session.isSettled, 'the keyboard is still locked').to.equal(false);
      await sessions.draws(UNLOCK);
      expect(await submitted).to.deep.equal({ kind: 'done' });
      expect(session.isSettled).to.equal(true);
    });

    it('takes an empty screen for an answer', async () => {
      const session = await sessions.beginWith(INPUT);
      const submitted = session.guarded.submit(submission([], { key: { kind: 'attention', name: 'Clear' } }));
      await sessions.host.hears('6d ffef');
      await sessions.draws('f5c3');
      expect(await submitted).to.deep.equal({ kind: 'done' });
    });

    it('waits for an answer of the host’s services, too, and does not take its own typing for one', async () => {
      const session = await sessions.begin();
      await sessions.servicesSend('c8c5d3d3d6');
      await session.settled();
      const submitted = session.guarded.submit(submission([{ address: 5, wire: 'logon' }]));
      await sessions.host.hears('93968796 95 ffef');
      expect(session.isSettled).to.equal(false);
      await sessions.servicesSend('c2e8c5');
      await submitted;
      expect(session.screen.image.cells.join('')).to.include('BYE');
    });

    it('awaits nothing where the key went nowhere', async () => {
      const session = await sessions.begin();
      await sessions.servicesSend('c8c5d3d3d6');
      await session.settled();
      await session.guarded.submit(submission([], { key: { kind: 'attention', name: 'PF1' } }));
      expect(session.isSettled).to.equal(true);
    });

    it('lets submits that come together go one after the other', async () => {
      const session = await sessions.beginWith(INPUT);
      const answers = ['one', 'two', 'six'].map((wire) => session.guarded.enter(submission([{ wire }])));
      for (const typed of ['969585', 'a3a696', 'a289a7']) {
        await sessions.host.hears(`11 40c1 ${typed} ffef`);
        await sessions.draws(UNLOCK);
      }
      expect(await Promise.all(answers)).to.deep.equal(Array(3).fill({ kind: 'done' }));
      expect(sessions.host.received.toString('hex').match(/7d40c1/g)).to.have.length(3);
    });

    it('does nothing for a submit that waited until the session was over', async () => {
      const session = await sessions.beginWith(HIDDEN, { crypt: 'CRYPT3270' });
      await session.guarded.enter(submission([]));
      await sessions.host.hears('7d 40c1 ffef');
      const waiting = session.guarded.enter(submission([{ wire: 'ab' }]));
      session.disconnect();
      expect(await waiting).to.deep.equal({ kind: 'done' });
      expect((await ended(session)).kind).to.equal('disconnected');
    });

    it('is over when the host ends, and says so once to everybody', async () => {
      const session = await sessions.beginWith(INPUT);
      const told: string[] = [];
      session.whenEnded(() => told.push('counted'));
      session.watch({ changed: () => undefined, ended: ({ kind }) => told.push(kind) });
      for (const socket of sessions.host.sockets) socket.end();
      expect(await ended(session)).to.deep.include({ kind: 'hostEnded' });
      session.disconnect();
      session.stop();
      expect(told.sort()).to.deep.equal(['counted', 'hostEnded']);
      expect(sessions.service.registry.size).to.equal(0);
    });
  });

  describe('and its pages', () => {
    it('tells a page that comes after the end at once', async () => {
      const session = await sessions.beginWith(INPUT);
      session.disconnect();
      await ended(session);
      const told: BrowserSessionEnd[] = [];
      session.watch({ changed: () => undefined, ended: (end) => told.push(end) })();
      session.whenEnded(() => told.push({ kind: 'idle' }));
      expect(told).to.deep.equal([{ kind: 'disconnected' }, { kind: 'idle' }]);
    });

    it('goes on where one of them fails, and tells the others', async () => {
      const session = await sessions.beginWith(INPUT);
      const other = await sessions.beginWith(INPUT);
      const fail = () => {
        throw new Error('a page failed');
      };
      session.watch({ changed: fail, ended: fail });
      let changes = 0;
      let end: BrowserSessionEnd | undefined;
      session.watch({
        changed: () => changes++,
        ended: (with_) => {
          end = with_;
        },
      });
      const before = changes;
      for (const socket of sessions.host.sockets) socket.write(Buffer.from('0000000000f1c31100c8c1ffef', 'hex'));
      await becomes(() => session.screen.image.cells[200] === 'A' && other.screen.image.cells[200] === 'A');
      expect(changes).to.be.greaterThan(before);
      session.disconnect();
      await ended(session);
      expect(end).to.deep.equal({ kind: 'disconnected' });
      expect(other.isOpen).to.equal(true);
      expect(sessions.service.registry.size, 'the ended one is forgotten').to.equal(1);
    });

    it('rejects who waits for what cannot be looked at', async () => {
      const session = await sessions.beginWith(INPUT);
      let looks = 0;
      const waiting = session.waitUntil(() => {
        if (looks++ > 0) throw new Error('no look');
        return false;
      });
      const words = waiting.catch((error: Error) => error.message);
      await sessions.draws(UNLOCK);
      expect(await words).to.equal('no look');
      const seen = looks;
      await sessions.draws('f1c3 11 5d7f c1');
      await becomes(() => session.screen.image.cells[1_919] === 'A');
      expect(looks, 'it is asked no more').to.equal(seen);
    });

    it('lets go of who waits when its signal is given, before or during the wait', async () => {
      const session = await sessions.beginWith(INPUT);
      const stop = new AbortController();
      const waiting = session.waitUntil(() => false, stop.signal);
      stop.abort();
      await waiting;
      await session.waitUntil(() => false, stop.signal);
    });
  });

  describe('ends by itself', () => {
    it('when its client never comes again', async () => {
      const session = sessions.connect({ initialMilliseconds: 30 });
      expect(await ended(session)).to.deep.equal({ kind: 'abandoned' });
    });

    it('when nothing more comes', async () => {
      const session = await sessions.begin({ idleMilliseconds: 30 });
      session.seen();
      expect(await ended(session)).to.deep.equal({ kind: 'idle' });
      expect(sessions.service.registry.find(session.code, 'LINE', [])).to.equal(undefined);
      expect(sessions.service.registry.size).to.equal(0);
    });

    it('and not while its user is there, however long after it began', async () => {
      const session = await sessions.begin({ idleMilliseconds: 1_000 });
      const until = performance.now() + 1_500;
      while (performance.now() < until) {
        session.seen();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(session.isOpen).to.equal(true);
      const { last } = session.use;
      expect(await ended(session)).to.deep.equal({ kind: 'idle' });
      expect(performance.now() - last, 'counted from the last message').to.be.at.least(1_000);
    });

    it('and is not found any more from the moment it leaves', async () => {
      const session = await sessions.beginWith(INPUT);
      const { registry } = sessions.service;
      expect(registry.find(session.code, 'LINE', [])).to.equal(session);
      session.disconnect();
      expect(registry.find(session.code, 'LINE', [])).to.equal(undefined);
      await ended(session);
    });
  });

  describe('with connection scripts', () => {
    it('plays them at logon and at logoff', async () => {
      const session = await sessions.begin({ tioaAtLogon: 'HELLO&/AOK&/W', tioaAtLogoff: 'BYE&/A' });
      await sessions.host.send(BIND_RECORD);
      await sessions.draws(INPUT);
      // Enter with the cursor at row 1, column 1 (reference 4.6)
      await sessions.host.hears('7d 4040 11 40c1 c8c5d3d3d6');
      expect(session.isSettled, 'it waits for OK').to.equal(false);
      await sessions.draws('f5c3 1d40 13 00000000 1d60 d6d2');
      await session.settled();
      expect(session.isOpen).to.equal(true);
      session.disconnect();
      await sessions.host.hears('11 40c1 c2e8c5');
      await ended(session);
    });

    it('types nothing once their time is over, though a scenario comes back later', async () => {
      let finish: (() => void) | undefined;
      const runScenario = () => {
        if (finish === undefined) {
          finish = () => undefined;
          return Promise.resolve(undefined);
        }
        return new Promise<undefined>((resolve) => {
          finish = () => resolve(undefined);
        });
      };
      const session = await sessions.begin({ tioaAtLogon: '&/SHELLO&/A', runScenario });
      await sessions.host.send(BIND_RECORD);
      await sessions.draws(INPUT);
      await sessions.host.hears('c8c5d3d3d6 ffef');
      await sessions.draws(INPUT);
      await session.settled();
      const stop = new AbortController();
      const playing = session.playLogon(stop.signal);
      stop.abort();
      finish?.();
      await playing;
      expect(sessions.host.received.toString('hex').match(/c8c5d3d3d6/g)).to.have.length(1);
      expect(sessions.logged).not.to.contain('a connection script failed');
    });
  });
});
