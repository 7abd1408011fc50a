import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifyAuditTrail } from '../../src/security/audit-verification.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { ADMINISTRATOR, ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';
import { PortalClient } from './portal-client.js';

const DISK_BYTES = 1024 * 1024;

interface Trouble {
  readonly begin: () => void;
  readonly end: () => void;
  readonly says: RegExp;
}

describe('a running server whose data folder', () => {
  let site: PortalSite;
  let data: string;
  let administrator: PortalClient;
  let mounts = 0;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      transactions: '      T: { applicationType: 1, application: SIM, page: TERMINAL.HTML }',
      yaml: "management: { listen: '127.0.0.1:0' }",
    });
    data = join(site.folder, 'data');
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
  });
  after(async () => {
    while (mounts-- > 0) spawnSync('umount', [data]);
    await site?.stop();
  });

  function mount(...options: readonly string[]): boolean {
    const isMounted = spawnSync('mount', options).status === 0;
    if (isMounted) mounts++;
    return isMounted;
  }

  const troubles: Readonly<Record<string, Trouble>> = {
    'can only be read': {
      begin: () => spawnSync('mount', ['-o', 'remount,bind,ro', data]),
      end: () => spawnSync('mount', ['-o', 'remount,bind,rw', data]),
      says: /EROFS/,
    },
    'is on a full disk': {
      begin: () => {
        const filling = spawnSync('dd', ['if=/dev/zero', `of=${join(data, 'filling')}`, 'bs=512']);
        expect(filling.stderr.toString()).to.include('No space left');
      },
      end: () => rmSync(join(data, 'filling')),
      says: /ENOSPC/,
    },
  };

  const groups = async () => (await administrator.get('/groups')).text;

  for (const [what, { begin, end, says }] of Object.entries(troubles)) {
    it(`${what} refuses what cannot be recorded, says so, loses nothing, and serves the rest`, async function () {
      const disk = `${site.folder}/disk`;
      mkdirSync(disk, { recursive: true });
      const isThere = mount('-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'sallyport-test', disk);
      skipUnless(this, isThere, 'nobody but root mounts a disk');
      cpSync(data, disk, { recursive: true });
      spawnSync('mount', ['--move', disk, data]);
      const ready = async () => (await fetch(`${site.managementUrl}/health/ready`)).status;
      await eventually(async () => ((await ready()) === 200 ? true : undefined));
      const json = { Accept: 'application/json' };
      const begun = await fetch(`${site.clientUrl}/TERMINAL.HTML+T`, { headers: json });
      const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const { action } = (await begun.json()) as { action: string };

      begin();
      const group = `GROUP-${mounts}`;
      const refused = await administrator.post('/groups', { GROUP: group });
      expect(refused.status).to.equal(503);
      expect(refused.text).to.include('What is stored cannot be read or changed at the moment.');
      const token = await administrator.post('/tokens', { NAME: 'programs', SCOPES: 'services', DAYS: '9' });
      expect(token.status, token.text).to.equal(503);
      expect(
        (await fetch(`${site.clientUrl}/w2h/user/macros.json`, { headers: basic(ANNA.name, ANNA.password) })).status,
      ).to.equal(503);
      expect(site.log()).to.match(says);
      await eventually(async () => ((await ready()) === 503 ? true : undefined));
      expect(await (await fetch(`${site.managementUrl}/health/ready`)).text()).to.match(says);
      expect((await fetch(`${site.managementUrl}/health/live`)).status).to.equal(200);
      // what needs no record goes on: a session of before, and a new one
      const body = new URLSearchParams({ pf: 'ENTER' });
      const goesOn = await fetch(site.clientUrl + action, {
        method: 'POST',
        headers: { ...json, Cookie: cookie },
        body,
      });
      expect(goesOn.status).to.equal(200);
      expect((await fetch(`${site.clientUrl}/TERMINAL.HTML+T`, { headers: json })).status).to.equal(200);
      expect(await groups()).not.to.include(group);

      end();
      await eventually(async () => ((await ready()) === 200 ? true : undefined));
      expect((await administrator.post('/groups', { GROUP: group })).status).to.equal(303);
      expect(await groups()).to.include(group);
      expect((await verifyAuditTrail(join(data, 'audit.jsonl'))).kind).to.equal('unbroken');
    });
  }
});
