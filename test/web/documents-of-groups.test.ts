import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { PrintingHost } from '../support/printing-host.js';
import { SignOnClient } from '../support/sign-on-client.js';

const codePage = findCodePage('cp037') as NonNullable<ReturnType<typeof findCodePage>>;
const scs = (text: string) => ({ stream: 'scs', records: [codePage.encode(text)] }) as const;
const SCREEN = '<!--SVC start="{{{" end="}}}" --><p>{{{AJAX-SESSION-CODE}}} {{{IF-PRINT-IS-READY waits}}}</p>';
/** None of them is a word of the product. */
const PASSWORD = 'canary-Geheim-7';
const CANARIES = ['CANARY-FIRST', 'CANARY-SECOND', 'CANARY-THIRD', 'CANARY-FULL'] as const;
const PRINTED = { kind: 'printed' } as const;
const NOT_READY = { kind: 'refused', code: 1 } as const;
/** A disk of its own for the documents. */
const DISK_BYTES = 65_536;

/** A real server with a printer of the group DEV; ANNA is in it, BERT is not. */
describe('documents of a group', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-groups-'));
  const config = join(folder, 'sallyport.yaml');
  const kept = join(folder, 'data', 'printed', 'LABELS');
  const [first, second, third, full] = CANARIES;
  let host: PrintingHost;
  let server: SallyportProcess;
  let url = '';
  let said = '';
  let isMounted = false;

  before(async () => {
    host = await PrintingHost.start();
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages', 'SCREEN.HTML'), SCREEN);
    writeFileSync(
      config,
      `data: ./data
directories: { CLI: ./pages }
security: { database: ./data/security.yaml }
log: { level: trace, form: json }
hosts:
  SIM: { simulated: true, start: MENU, users: { DEMO: demo } }
  PRT: { address: '127.0.0.1:${host.port}' }
printers:
  LABELS: { host: PRT, luName: LU1, groups: [DEV] }
sessions: { keysReady: 0 }
lines:
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: E }
entryPoints:
  E:
    directory: CLI
    transactions:
      STOCK: { applicationType: 1, application: SIM, printer: LABELS, security: 4 }
      OPEN: { applicationType: 1, application: SIM, printer: LABELS }
`,
    );
    await addUser('ANNA', 'DEV');
    await addUser('BERT', 'OPS');
    await start();
  });

  after(async () => {
    server?.child.kill('SIGKILL');
    await server?.finished;
    await host.close();
    if (isMounted) spawnSync('umount', [kept]);
    rmSync(folder, { recursive: true });
  });

  async function addUser(name: string, group: string): Promise<void> {
    const args = ['user', 'add', name, '--role', 'user', '--group', group, '--password-stdin', '--config', config];
    const { code, stderr } = await sallyportInProcess(args, { folder, input: `${PASSWORD}\n` });
    expect(code, stderr).to.equal(0);
  }

  async function start(): Promise<void> {
    server = new SallyportProcess(['serve', '--config', config], folder);
    [, url = ''] = await server.prints(/C-HTTP +(http:\S+)/);
  }

  async function stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    server.child.kill(signal);
    const { stdout, stderr } = await server.finished;
    said += stdout + stderr;
  }

  /** A terminal session, and what it asks for. */
  async function begin(user: string, transaction = 'STOCK') {
    const client = new SignOnClient(url);
    const path = `/SCREEN.HTML+${transaction}`;
    const opened = user === '' ? await client.request(path) : await client.signOn(path, user, PASSWORD);
    const shown = opened.status === 303 ? await client.request(opened.headers.get('location') ?? '') : opened;
    const [, code = ''] = /SvcSession=([\w-]+)/.exec(shown.text) ?? [];
    expect(code, shown.text).not.to.equal('');
    const get = (page: string, prefix = 'Print', accept = '*/*') =>
      client.request(`/w2h/${page.replace(/(\?.*)?$/, `++${prefix}SvcSession=${code}$1`)}`, {
        headers: { Accept: accept },
      });
    const list = async () => {
      const { text } = await get('x', 'Print', 'application/json');
      const { documents } = JSON.parse(text) as { documents: { number: number; isNew: boolean }[] };
      return documents.map(({ number, isNew }) => [number, isNew] as const);
    };
    return { get, list };
  }

  it('are opened by its members, and are not there for anybody else', async () => {
    const anna = await begin('ANNA');
    const bert = await begin('BERT');
    const nobody = await begin('', 'OPEN');
    expect(await host.print('LU1', scs(first))).to.deep.equal(PRINTED);
    expect(await anna.list()).to.deep.equal([[1, true]]);
    expect((await anna.get('SCREEN.HTML', '')).text).to.include('waits');
    for (const { get } of [bert, nobody]) {
      expect((await get('SCREEN.HTML', '')).text).not.to.include('waits');
      for (const page of ['x.txt', 'x.pdf', 'x.txt?document=1', 'SCREEN.HTML']) {
        const { status, text } = await get(page);
        expect([status, text.includes(first)], page).to.deep.equal([404, false]);
      }
      const asked = await get('x', 'Print', 'application/json');
      expect(asked.status).to.equal(404);
      expect(asked.text).to.include('SVC_ERR_PRINT_UNKNOWN');
    }
    expect((await anna.get('x.txt')).text).to.equal(`${first}\n`);
    expect((await anna.get('SCREEN.HTML', '')).text).not.to.include('waits');
    expect(await anna.list()).to.deep.equal([[1, false]]);
  });

  it('are there after the server was killed as soon as the host had its answer, and for the same', async () => {
    expect(await host.print('LU1', scs(second))).to.deep.equal(PRINTED);
    await stop('SIGKILL');
    expect(readdirSync(kept).sort()).to.deep.equal(['1.opened.jsonl', '2.new.jsonl']);
    await start();
    const anna = await begin('ANNA');
    // those from before a session are no news
    expect(await anna.list()).to.deep.equal([
      [2, false],
      [1, false],
    ]);
    expect((await anna.get('x.txt?document=2')).text).to.equal(`${second}\n`);
    expect((await anna.get('x.txt?document=1')).text).to.equal(`${first}\n`);
    expect((await (await begin('BERT')).get('x.txt?document=2')).status).to.equal(404);
    expect(await host.print('LU1', scs(third))).to.deep.equal(PRINTED);
    expect(await anna.list()).to.deep.equal([
      [3, true],
      [2, false],
      [1, false],
    ]);
  });

  it('are no longer there for whoever has left the group', async () => {
    const anna = await begin('ANNA');
    expect((await anna.get('x.txt?document=3')).text).to.equal(`${third}\n`);
    const { code } = await sallyportInProcess(['user', 'change', 'ANNA', '--group', 'OPS', '--config', config], {
      folder,
    });
    expect(code).to.equal(0);
    await eventually(async () => ((await anna.get('x.txt?document=3')).status === 404 ? true : undefined));
    await sallyportInProcess(['user', 'change', 'ANNA', '--group', 'DEV', '--config', config], { folder });
    await eventually(async () => ((await anna.get('x.txt?document=3')).status === 200 ? true : undefined));
  });

  it('are not printed while the disk is full: the host is told, and nothing is left of them', async function () {
    await stop('SIGTERM');
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'sallyport-test', kept]);
    isMounted = mounted.status === 0;
    skipUnless(this, isMounted, 'nobody but root mounts a disk');
    await start();
    writeFileSync(join(kept, 'filling'), Buffer.alloc(DISK_BYTES - 4_096));
    const long = { stream: 'scs', records: [codePage.encode(`${full}${'X'.repeat(30_000)}`)] } as const;
    expect(await host.print('LU1', long)).to.deep.equal(NOT_READY);
    expect(readdirSync(kept)).to.deep.equal(['filling']);
    const anna = await begin('ANNA');
    expect(await anna.list()).to.deep.equal([]);
    rmSync(join(kept, 'filling'));
    expect(await host.print('LU1', scs(first))).to.deep.equal(PRINTED);
    expect((await anna.get('x.txt')).text).to.equal(`${first}\n`);
    await stop('SIGTERM');
    expect(said).to.include('ENOSPC');
  });

  it('are in no log, and in the audit trail without a word of them', async () => {
    const trail = readFileSync(join(folder, 'data', 'audit.jsonl'), 'utf8');
    expect(trail).to.include('"document.printed"');
    expect(trail).to.include('"document.opened"');
    expect(said).to.include('a document was printed');
    for (const secret of [...CANARIES, PASSWORD]) {
      expect(trail).not.to.include(secret);
      expect(said).not.to.include(secret);
    }
  });
});
