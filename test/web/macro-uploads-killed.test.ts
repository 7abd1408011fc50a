import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { FileUserStore } from '../../src/access/users/file-user-store.js';
import { silentLog } from '../../src/lib/log/log.js';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { projectFolder } from '../support/project.js';
import { rounds } from '../support/rounds.js';
import { basic } from '../support/sign-on-client.js';

const UPLOADS = 200;
const PASSWORD = 'admin-password';

/** Every macro file below a folder, versions too. */
function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

describe('a server that is killed while 200 uploads come in', () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-killed-'));
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `data: ./data
directories: { ADM: '${join(projectFolder, 'templates', 'portal')}' }
macros: ./data/macros
lines: { W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration, limits: { connections: 1000 } } }
entryPoints: { WEB2HOST: { directory: ADM, transactions: {} } }
`,
    );
    mkdirSync(join(folder, 'data'));
    const file = join(folder, 'data', 'security.yaml');
    const users = new FileUserStore({
      passwordCost: CHEAP_PASSWORDS,
      file,
      log: silentLog,
      lockAfter: 10,
      lockMinutes: 30,
    });
    await users.open();
    await users.addUser({ name: 'admin', role: 'administrator', groups: [], expires: undefined }, PASSWORD);
    for (const name of ['OPS', 'DEV']) await users.addGroup(name);
  });
  after(() => rmSync(folder, { recursive: true }));

  const bodyOf = (index: number) =>
    JSON.stringify({
      macros: [{ name: `m${index}`, rev: index, def: new Array(500).fill({ txt: `t${index}` }) }],
      fmt: 2,
    });
  const headers = basic('admin', PASSWORD);

  async function start(): Promise<{ process: SallyportProcess; url: string }> {
    const process = new SallyportProcess([
      'serve',
      '--log-level',
      'silent',
      '--config',
      join(folder, 'sallyport.yaml'),
    ]);
    const [, url = ''] = await process.prints(/W-HTTP +(\S+)/);
    return { process, url };
  }

  async function upload(url: string, path: string, index: number): Promise<number> {
    const form = new FormData();
    form.append('file', new Blob([bodyOf(index)], { type: 'application/json' }), 'macros.json');
    return (await fetch(`${url}/SECURE/upload.txt+${path}`, { method: 'POST', headers, body: form })).status;
  }

  /** SHA-256 of each file that the audit trail says was to be stored. */
  function intendedFiles(): Set<string | undefined> {
    const lines = readFileSync(join(folder, 'data', 'audit.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1);
    const entries = lines.map((line) => JSON.parse(line) as { stage?: string; after?: { sha256?: string } });
    return new Set(entries.filter(({ stage }) => stage === 'intended').map(({ after }) => after?.sha256));
  }

  async function keyOf(url: string, group: string): Promise<string> {
    const reply = await fetch(`${url}/SECURE/capabilityCode.json+USRCAP?GROUP=${group}`, { headers });
    return reply.headers.get('x-svc-group-directory') ?? '';
  }

  it('has nothing but whole files afterwards, and goes on', async () => {
    const whole = new Set(Array.from({ length: UPLOADS }, (_, index) => bodyOf(index)));
    for (const delay of [0, 60, 15].slice(0, rounds(3, 2))) {
      const { process, url } = await start();
      const keys = await Promise.all([keyOf(url, 'OPS'), keyOf(url, 'DEV')]);
      const paths = ['uplglb', ...keys.map((key) => `uplgrp+x-Svc-group-Directory:${key}`)];
      const answered = Array.from({ length: UPLOADS }, (_, index) =>
        upload(url, paths[index % paths.length] ?? '', index).catch(() => 0),
      );
      // in the midst of them: after the first answer, and a little more
      await Promise.any(answered);
      await wait(delay);
      process.child.kill('SIGKILL');
      await process.finished;
      const statuses = await Promise.all(answered);
      expect(statuses.every((status) => status === 200 || status === 0)).to.equal(true);
      const files = [...filesBelow(join(folder, 'data', 'macros'))].filter((file) => file.endsWith('.json'));
      expect(files.length).to.be.greaterThan(0);
      for (const file of files) expect(whole.has(readFileSync(file, 'utf8')), file).to.equal(true);
      const intended = intendedFiles();
      for (const file of files) {
        const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
        expect(intended.has(sha256), `${file} is on record`).to.equal(true);
      }
    }
    const { process, url } = await start();
    expect(await upload(url, 'uplglb', 7)).to.equal(200);
    expect(readFileSync(join(folder, 'data', 'macros', 'global', 'macros.json'), 'utf8')).to.equal(bodyOf(7));
    expect(await verifyAuditTrail(join(folder, 'data', 'audit.jsonl'))).to.have.property('entries');
    process.child.kill('SIGTERM');
    expect((await process.finished).code).to.equal(0);
  });

  it('takes all 200 at once where nobody kills it, and keeps the last and five before it', async () => {
    const { process, url } = await start();
    const key = await keyOf(url, 'DEV');
    const statuses = await Promise.all(
      Array.from({ length: UPLOADS }, (_, index) => upload(url, `uplgrp+x-Svc-group-Directory:${key}`, index)),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const files = [...filesBelow(join(folder, 'data', 'macros', 'group', 'dev'))];
    expect(new Set(files.map((file) => readFileSync(file, 'utf8'))).size).to.equal(6);
    process.child.kill('SIGTERM');
    await process.finished;
  });
});
