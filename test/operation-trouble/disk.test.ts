import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileMacroStore } from '../../src/macros/file-macro-store.js';
import { openScreen, type ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { ADMINISTRATOR, ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';
import { PortalClient } from '../web/portal-client.js';

const TSO = '      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }';
const MANAGEMENT = "management: { listen: '127.0.0.1:0' }";
/** A small disk of its own. */
const DISK_BYTES = 1_048_576;
const BLOCK = Buffer.alloc(4_096, 'x');

/** The whole server on a disk that gives trouble: what is kept is refused, what is not goes on. */
describe('a disk that gives trouble', () => {
  const disk = mkdtempSync(join(tmpdir(), 'sallyport-disk-'));
  const filling = join(disk, 'filling');
  const mount = (...args: readonly string[]) => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
  let isMounted = false;
  let site: PortalSite;
  let page: ScreenClient;
  let keys = 0;

  before(async function () {
    isMounted = mount('-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'sallyport-test', disk);
    skipUnless(this, isMounted, 'nobody but root mounts a disk');
    const { TMPDIR } = process.env;
    process.env.TMPDIR = disk;
    try {
      site = await startPortalSite({ crypts: '', transactions: TSO, yaml: MANAGEMENT });
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    page = await openScreen(site.clientUrl, '/TERMINAL.HTML+TSO');
    await page.connect();
    await page.message(({ k }) => k === 's');
  });
  after(async () => {
    await site?.stop();
    if (isMounted) spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  const ready = async () => {
    const reply = await fetch(`${site.managementUrl}/health/ready`);
    return { status: reply.status, text: await reply.text() };
  };
  const macrosOf = (name: string) => JSON.stringify({ macros: [{ name, rev: 1, def: ['ENTER'] }], fmt: 2 });
  const macrosUrl = () => `${site.clientUrl}/w2h/user/macros.json`;
  const headers = { ...basic(ANNA.name, ANNA.password), 'Content-Type': 'application/json' };
  const save = (name: string) => fetch(macrosUrl(), { method: 'PUT', headers, body: macrosOf(name) });
  const saved = async () => (await fetch(macrosUrl(), { headers })).text();
  const users = () => readFileSync(join(site.folder, 'data', 'security.yaml'), 'utf8');

  /** Keys of a user who was there before. */
  async function terminalGoesOn(): Promise<void> {
    const before = page.messages.length;
    page.key(++keys, 'ENTER');
    await eventually(() => (page.messages.length > before ? true : undefined));
    expect(page.closed).to.equal(undefined);
  }

  const troubles = {
    'that is full': {
      make: () => {
        const handle = openSync(filling, 'w');
        try {
          for (;;) writeSync(handle, BLOCK);
        } catch (error) {
          expect(error).to.have.property('code', 'ENOSPC');
        } finally {
          closeSync(handle);
        }
      },
      end: () => rmSync(filling),
      words: /ENOSPC/,
    },
    'that can only be read': {
      make: () => expect(mount('-o', 'remount,ro', disk)).to.equal(true),
      end: () => expect(mount('-o', 'remount,rw', disk)).to.equal(true),
      words: /EROFS/,
    },
  };

  it('is said to be read-only where a folder is to be made on it', async () => {
    const { make, end } = troubles['that can only be read'];
    make();
    try {
      const opened = new FileMacroStore({ folder: join(disk, 'none') }).open();
      expect(await opened.catch((error: Error) => error.message)).to.match(/none cannot be used: EROFS/);
    } finally {
      end();
    }
  });

  for (const [what, { make, end, words }] of Object.entries(troubles)) {
    describe(what, () => {
      it('refuses changes, says so, serves who is there and who comes, and goes on when it is mended', async () => {
        const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
        expect((await save('before')).status).to.equal(204);
        const before = { users: users(), macros: await saved() };
        make();
        const down = await eventually(async () => {
          const found = await ready();
          return found.status === 503 ? found : undefined;
        });
        expect(down.text)
          .to.match(words)
          .and.include(`folder ${join(site.folder, 'data')}`);

        const refused = await save('during');
        expect(refused.status).to.equal(503);
        const user = await administrator.postPassword('/new/user', 'correct-Horse-9', {
          ...{ USERID: 'NEW', ROLE: 'user', GROUPS: 'OPS' },
        });
        expect(user.status).to.equal(503);
        expect(user.text).to.include('Stored data cannot be read or changed at the moment.');
        const token = await administrator.post('/tokens', { NAME: 'programs', SCOPES: 'services', DAYS: '9' });
        expect(token.status).to.equal(503);
        expect(site.log()).to.match(words);
        await terminalGoesOn();
        expect((await fetch(`${site.clientUrl}/TERMINAL.HTML+TSO`)).status, 'somebody else').to.equal(200);

        end();
        await eventually(async () => ((await ready()).status === 200 ? true : undefined));
        expect({ users: users(), macros: await saved() }).to.deep.equal(before);
        expect((await save('after')).status).to.equal(204);
        expect(await saved()).to.include('"after"');
        await terminalGoesOn();
      });
    });
  }
});
