import { expect } from 'chai';
import type { SessionScenarioEnd, SessionScenarios } from '../../src/sessions/session-facts.js';
import { becomes, HostedSessions, submission } from './hosted-session.js';

/** IAC BREAK and IAC IP. */
const ATTENTIONS = [Buffer.from('fff3', 'hex'), Buffer.from('fff4', 'hex')];
const goesOn: SessionScenarioEnd = {
  ending: 'end',
  disconnects: undefined,
  toTerminal: false,
  refreshesTerminal: false,
  skipsOutput: false,
};

/** An INPUT scenario that decides when the test says so. */
class Gate {
  runs = 0;
  #decide: (end: SessionScenarioEnd) => void = () => undefined;

  readonly scenarios: Partial<SessionScenarios> = {
    has: (kind) => kind === 'INPUT',
    run: async (kind) => {
      if (kind !== 'INPUT') return undefined;
      // the first one looks at the screen of the host
      if (++this.runs === 1) return goesOn;
      return new Promise((resolve) => {
        this.#decide = resolve;
      });
    },
  };

  decide(end: Partial<SessionScenarioEnd>): void {
    this.#decide({ ...goesOn, ...end });
  }
}

/** What reaches the host before the INPUT scenario has decided: nothing. */
describe('the input of a session that a scenario inspects', () => {
  let hosted: HostedSessions;
  const heard = (text: string) => hosted.host.received.includes(Buffer.from(text, 'latin1'));
  const attended = () => ATTENTIONS.some((bytes) => hosted.host.received.includes(bytes));

  /** Resolves when the host has everything that the terminal sent before: DO TERMINAL-TYPE is answered with WILL (RFC 1091). */
  async function everythingArrives(): Promise<void> {
    await hosted.host.send('fffd18');
    await hosted.host.hears('fffb18');
  }

  beforeEach(async () => {
    hosted = await HostedSessions.start();
  });
  afterEach(() => hosted.stop());

  /** A session with a host that sends lines of text. */
  async function lineSession(gate: Gate) {
    const session = hosted.connect({ scenarios: gate.scenarios });
    // WILL ECHO, WILL SUPPRESS-GO-AHEAD: characters go to the host at once; login:
    await hosted.host.send('fffb01 fffb03 6c6f67696e3a20');
    await becomes(() => session.screen.partner === 'line' && session.isSettled && gate.runs === 1);
    return session;
  }

  const step = (text: string, press: string) => ({
    at: [{ name: 'LOGIN', conditions: [{ text: 'login' }] }],
    act: { type: [{ text }], press },
    withinMilliseconds: 30_000,
  });

  it('is not typed at a line host before its decision', async () => {
    const gate = new Gate();
    const session = await lineSession(gate);
    const walked = session.guarded.walk('127.0.0.1').step(step('quiet', 'Enter'));
    await becomes(() => gate.runs === 2);
    await everythingArrives();
    expect(heard('quiet')).to.equal(false);
    gate.decide({});
    await becomes(() => heard('quiet'));
    session.disconnect();
    await walked;
  });

  it('is never typed at a line host where it is withheld, or would pass by the scenario', async () => {
    const gate = new Gate();
    const session = await lineSession(gate);
    const walked = session.guarded.walk('127.0.0.1').step(step('quiet', 'Enter'));
    await becomes(() => gate.runs === 2);
    gate.decide({ toTerminal: true });
    expect((await walked).kind).to.equal('withheld');
    expect((await session.guarded.walk('127.0.0.1').step(step('quiet', 'Attn'))).kind).to.equal('withheld');
    await everythingArrives();
    expect(heard('quiet')).to.equal(false);
  });

  for (const [what, ends] of [
    ['until then', {}],
    ['at all where the scenario ends the session', { disconnects: 'now' }],
  ] as const) {
    it(`is interrupted by no Attn and no SysReq ${what}`, async () => {
      const gate = new Gate();
      // Erase/Write, unlock, an unprotected field
      const session = await hosted.beginWith('f5c3 1d40 c1', { scenarios: gate.scenarios });
      await becomes(() => session.isSettled);
      const entered = session.guarded.enter(submission([]));
      await becomes(() => gate.runs === 2);
      const keys = (['attn', 'systemRequest'] as const).map((kind) =>
        session.guarded.enter({ ...submission([]), key: { kind } }),
      );
      expect(attended()).to.equal(false);
      gate.decide(ends);
      await entered;
      await Promise.all(keys);
      if ('disconnects' in ends) {
        await becomes(() => session.end !== undefined);
        expect(attended()).to.equal(false);
      } else {
        await becomes(attended);
      }
    });
  }
});
