import { expect } from 'chai';
import { BIND } from '../support/scripted-host.js';
import { becomes, HostedSessions } from './hosted-session.js';

const SCREEN = 'f5c3 1d40 13 0000000000000000 1d60';
/** Write, restoring the keyboard; the same with an A. */
const UNLOCK = 'f1c3';
const CHANGE = 'f1c3 11 40c1 c1';

describe('an OUTPUT scenario that fails', () => {
  let sessions: HostedSessions;
  beforeEach(async () => {
    sessions = await HostedSessions.start();
  });
  afterEach(() => sessions.stop());

  /** Runs a failing scenario while the host sends data, and then one that has nothing to do. @returns how often it ran */
  async function runsWhile(data: string | undefined): Promise<number> {
    let runs = 0;
    const session = await sessions.begin({
      scenarios: {
        has: (kind) => kind === 'OUTPUT',
        run: async () => {
          if (++runs > 1) return undefined;
          const before = session.screen.state.revision;
          if (data !== undefined) {
            await sessions.draws(data);
            await becomes(() => session.screen.state.revision > before);
          }
          throw new Error('refused');
        },
      },
    });
    await sessions.host.send(BIND);
    await sessions.draws(SCREEN);
    await becomes(() => runs > 0);
    await session.settled();
    return runs;
  }

  it('runs again for a message that the host sent meanwhile', async () => {
    expect(await runsWhile(CHANGE)).to.equal(2);
    expect(await runsWhile(UNLOCK)).to.equal(2);
  });

  it('does not run again for its own message', async () => {
    expect(await runsWhile(undefined)).to.equal(1);
  });
});
