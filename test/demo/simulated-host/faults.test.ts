import { expect } from 'chai';
import type { FaultName } from '../../../src/demo/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { UserList } from '../../../src/demo/simulated-host/user-list.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { DriveProcess } from '../../support/drive-process.js';
import { eventually } from '../../support/eventually.js';

const MOST_WRONG_PASSWORDS = 3;

/** What a terminal makes of each fault that the simulated host can be ordered to have. */
describe('faults of the simulated host', () => {
  const hosts: SimulatedHost[] = [];
  const sessions: DriveProcess[] = [];

  afterEach(async () => {
    for (const session of sessions.splice(0)) session.kill();
    for (const host of hosts.splice(0)) await host.close();
  });

  async function session(...faults: readonly FaultName[]): Promise<DriveProcess> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: {}, start: 'MENU', faults });
    hosts.push(host);
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const started = new DriveProcess(port);
    sessions.push(started);
    return started;
  }

  const menu = { cmd: 'wait', text: 'Option ===>', seconds: 15 };

  it('bytes one by one, and garbage first, change nothing', async () => {
    for (const fault of ['split', 'garbage'] as const) {
      expect(await (await session(fault)).ask(menu), fault).to.deep.equal({});
    }
  });

  it('a delay only delays', async () => {
    const delayed = await session('delay');
    expect(await delayed.ask({ ...menu, seconds: 0.5 })).to.have.key('error');
    expect(await delayed.ask(menu)).to.deep.equal({});
  });

  it('a connection cut in a record, and one refused, end the session', async () => {
    for (const fault of ['disconnect', 'refuse'] as const) {
      expect((await (await session(fault)).ask(menu)).error, fault).to.match(
        /the host ended the session|was interrupted/,
      );
    }
  });

  it('devices in use are told', async () => {
    const refused = await session('busy');
    expect(await refused.ask({ ...menu, seconds: 10 })).to.deep.equal({
      error: 'the host refused a logical unit: it is in use',
    });
  });

  it('a keyboard that is not restored stays locked behind a key', async () => {
    const locked = await session('locked');
    expect(await locked.ask(menu)).to.deep.equal({});
    await locked.ask({ cmd: 'type', text: '1' });
    await locked.ask({ cmd: 'key', key: 'Enter' });
    expect(await locked.ask({ cmd: 'wait', text: 'Row 1 of' })).to.deep.equal({});
    expect(await locked.ask({ cmd: 'screen' })).to.include({ locked: true });
  });

  it('can be ordered at the operator panel, for that terminal', async () => {
    const ordering = await session();
    await ordering.ask(menu);
    await ordering.ask({ cmd: 'type', text: '9' });
    await ordering.ask({ cmd: 'key', key: 'Enter' });
    await ordering.ask({ cmd: 'wait', text: 'Faults of this terminal' });
    for (const text of ['N', 'Y']) await ordering.ask({ cmd: 'type', text });
    await ordering.ask({ cmd: 'key', key: 'Enter' });
    expect((await ordering.ask({ cmd: 'wait', until: 'ended', seconds: 10 })).error ?? '').to.equal('');
  });

  it('leave nothing behind when terminals are gone', async () => {
    const one = await session();
    await one.ask(menu);
    expect(hosts[0]?.sessions).to.equal(1);
    await one.quit();
    await eventually(() => (hosts[0]?.sessions === 0 ? true : undefined));
  });
});

describe('users of the simulated host', () => {
  it('are revoked after so many wrong passwords in a row, not before', () => {
    const users = new UserList({ DEMO: 'demo' });
    for (let wrong = 1; wrong < MOST_WRONG_PASSWORDS; wrong++) expect(users.signOn('demo', 'x')).to.equal('wrong');
    expect(users.signOn('DEMO', 'DEMO')).to.equal('signedOn');
    for (let wrong = 1; wrong < MOST_WRONG_PASSWORDS; wrong++) expect(users.signOn('demo', 'x')).to.equal('wrong');
    expect(users.signOn('demo', 'x')).to.equal('revoked');
    expect(users.signOn('demo', 'demo')).to.equal('revoked');
    users.restore('demo');
    expect(users.signOn('demo', 'demo')).to.equal('signedOn');
  });

  it('choose new passwords of 4 to 8 characters', () => {
    const users = new UserList({ DEMO: 'demo' });
    for (const [password, accepted] of [
      ['abc', false],
      ['abcd', true],
      ['abcdefgh', true],
      ['abcdefghi', false],
    ] as const) {
      expect(users.changePassword('demo', password), password).to.equal(accepted);
    }
    expect(users.signOn('demo', 'abcdefgh')).to.equal('signedOn');
  });
});
