import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { PortalClient } from './portal-client.js';

const moduleOf = (name: string) => new URL(`../../src/lib/files/${name}.js`, import.meta.url).href;

describe('users that several programs change at once', () => {
  let site: PortalSite;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    site = await startPortalSite({ crypts: '' });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await site?.stop();
  });

  const fileOf = () => join(site.folder, 'data', 'security.yaml');

  function run(source: string): ChildProcess {
    const child = spawn(process.execPath, ['--input-type=module', '-e', source, fileOf()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  it('gets 503 with Retry-After if another program holds the file for 5 seconds, and nothing is changed', async () => {
    const portal = await PortalClient.signedOn(site, ADMINISTRATOR);
    const holder = run(
      `import { withFileLock } from '${moduleOf('file-lock')}';
       await withFileLock(process.argv[1], () => { console.log('in'); return new Promise(() => setInterval(() => {}, 1000)); });`,
    );
    await once(holder.stdout ?? holder, 'data');
    const refused = await portal.post('/groups', { GROUP: 'LATE' });
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(refused.text).to.include('Too many changes are being made').and.not.include('security.yaml');
    expect(site.log()).to.include(`held by process ${holder.pid}`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await site.users.findGroup('LATE')).to.equal(undefined);
    expect((await portal.post('/groups', { GROUP: 'LATE' })).status).to.equal(303);
  });

  it('serves everybody in turn while programs change the file without a pause', async () => {
    const portal = await PortalClient.signedOn(site, ADMINISTRATOR);
    const programs = Array.from({ length: 4 }, () =>
      run(
        `import { withFileLock } from '${moduleOf('file-lock')}';
         const turn = () => withFileLock(process.argv[1], () => new Promise((resolve) => setTimeout(resolve, 5)));
         await turn();
         console.log('begun');
         for (;;) await turn();`,
      ),
    );
    await Promise.all(programs.map((program) => once(program.stdout ?? program, 'data')));
    for (const name of ['ONE', 'TWO', 'THREE']) {
      expect((await portal.post('/groups', { GROUP: name })).status, name).to.equal(303);
    }
    for (const program of programs) expect(program.exitCode).to.equal(null);
    expect(await site.users.groups()).to.include.members(['ONE', 'TWO', 'THREE']);
  });
});
