import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../../src/access/tokens/file-token-store.js';
import { FileSettingsStore } from '../../../src/access/users/file-settings-store.js';
import { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { noteServing, noteStopped } from '../../../src/cli/serve/running-server.js';
import { SharedStores } from '../../../src/cluster/postgresql/shared-stores.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { FileMacroStore } from '../../../src/macros/file-macro-store.js';
import type { MacroDirectory } from '../../../src/macros/macro-directory.js';
import type { MacroStore } from '../../../src/macros/macro-store.js';
import { FileDraftStore } from '../../../src/services/file-draft-store.js';
import { FileIdempotencyStore } from '../../../src/services/file-idempotency-store.js';
import { sallyportInProcess } from '../../cli/command-in-process.js';
import { SallyportProcess, sallyport } from '../../cli/sallyport-process.js';
import { uploadText } from '../../macros/upload-text.js';
import { draft } from '../../services/contract/draft-store-contract.js';
import { awaited } from '../../support/awaited.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { eventually } from '../../support/eventually.js';
import type { PostgresqlServer } from '../../support/postgresql.js';
import { projectFolder } from '../../support/project.js';

const everybody: MacroDirectory = { level: 'global' };
const anna: MacroDirectory = { level: 'user', name: 'anna' };
const token = {
  name: 'Billing',
  hash: 'h'.repeat(43),
  scopes: ['sessions'],
  created: '2026-11-22T10:00:00.000Z',
  expires: '2027-02-20T10:00:00.000Z',
  lastUsed: undefined,
};
const request = { id: 'id', caller: 'caller', content: 'content' };
const answer = { status: 200, contentType: 'application/json', body: '{"name":"Müller \\u0000"}' };

/** `sallyport store copy`; the server is running. */
export function itCopiesStores(running: () => PostgresqlServer): void {
  let folder: string;
  beforeEach(async () => {
    await running().empty();
    folder = mkdtempSync(join(tmpdir(), 'sallyport-copies-'));
    for (const name of ['first', 'second']) {
      writeFileSync(
        join(folder, `${name}.yaml`),
        `data: ./${name}
macros: ./${name}/macros
security: { database: ./${name}/users/security.yaml }
store: { postgresql: 'postgres://sallyport@localhost:${running().port}/postgres?host=${running().folder}' }
directories: { PAGES: '${join(projectFolder, 'templates', 'pages')}' }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: PAGES } }
entryPoints: { PAGES: { directory: PAGES } }
`,
      );
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const copy = (name: string, from: string, to: string) =>
    sallyportInProcess(['store', 'copy', '--from', from, '--to', to, '--config', join(folder, `${name}.yaml`)], {
      folder,
    });
  const filesOf = (name: string) => {
    const at = (file: string) => join(folder, name, file);
    return {
      users: new FileUserStore({
        file: at('users/security.yaml'),
        log: silentLog,
        lockAfter: 3,
        lockMinutes: 0,
        passwordCost: CHEAP_PASSWORDS,
      }),
      audit: new FileAuditTrail({ file: at('audit.jsonl'), rotateBytes: 500 }),
      tokens: new FileTokenStore(at('tokens.json')),
      settings: new FileSettingsStore(at('terminal-settings')),
      drafts: new FileDraftStore(at('services-drafts')),
      macros: new FileMacroStore({ folder: at('macros') }),
      idempotency: new FileIdempotencyStore(at('idempotency.jsonl')),
    };
  };
  const kept = draft({ service: 'é 漢 \u0000' });
  async function fill(name: string): Promise<void> {
    const { users, audit, tokens, settings, drafts, macros, idempotency } = filesOf(name);
    await users.addUser({ name: 'Anna', role: 'administrator', groups: ['OPS', 'DEV'], expires: undefined }, 'secret');
    await users.addUser({ name: 'bert', role: 'user', groups: [], expires: '2099-12-31' }, undefined);
    // more than are read from a database together
    const trail = new FileAuditTrail({ file: join(folder, name, 'audit.jsonl'), rotateBytes: 1_000_000 });
    const entry = { who: 'anna', from: '192.0.2.1', what: 'data.restored' as const, subject: 'many' };
    await Promise.all(Array.from({ length: 300 }, () => trail.record(entry, async () => {})));
    for (const subject of ['one', 'two', 'three', 'four'])
      await audit.record({ who: 'anna', from: '192.0.2.1', what: 'data.restored', subject }, async () => {});
    await tokens.add(token, (_change, make) => make());
    await settings.write('ANNA', '{"bell":true}', null);
    await drafts.add(kept);
    await macros.open();
    for (let number = 1; number <= 8; number += 1) await macros.write(everybody, uploadText(number));
    await macros.write(anna, uploadText(9));
    await macros.remove(anna);
    await macros.close();
    await idempotency.begin(request, Date.now());
    await idempotency.answer('id', answer);
    await idempotency.begin({ ...request, id: 'running' }, Date.now());
    await idempotency.close();
  }
  const macrosOf = async (store: MacroStore) => [
    await store.versions(everybody),
    await store.read(everybody),
    await store.versions(anna),
    await store.read(anna),
  ];

  it('copies files into the database and back, all of them and as they were', async () => {
    await fill('first');
    const there = await copy('first', 'files', 'postgresql');
    expect([there.stderr, there.code]).to.deep.equal(['', 0]);
    expect(there.stdout).to.match(/^users: 2 rows, SHA-256 [\da-f]{64}, the same in both$/m);
    expect(there.stdout)
      .to.match(/^macros: 7 rows/m)
      .and.to.match(/^audit trail unbroken in postgresql: \d+:[\da-f]{64}$/m);
    const original = filesOf('first');
    const shared = await SharedStores.open(running().definition(), silentLog);
    try {
      expect(await macrosOf(shared.macros)).to.deep.equal(await macrosOf(original.macros));
      expect(await shared.audit({}).head()).to.deep.equal(await original.audit.head());
      expect(await shared.settings.read('anna')).to.deep.equal(await original.settings.read('anna'));
      expect(await shared.drafts.list()).to.deep.equal([kept]);
      expect(await shared.tokens.list()).to.deep.equal([token]);
      expect(await shared.idempotency.begin(request, Date.now())).to.deep.equal({ kind: 'answered', answer });
      const interrupted = await shared.idempotency.begin({ ...request, id: 'running' }, Date.now());
      expect(interrupted).to.deep.equal({ kind: 'interrupted' });
    } finally {
      await shared.close();
    }
    const back = await copy('second', 'postgresql', 'files');
    expect([back.stderr, back.code]).to.deep.equal(['', 0]);
    const { users, audit, macros, idempotency } = filesOf('second');
    expect((await users.signOn('anna', 'secret')).kind).to.equal('signedOn');
    expect(await users.findRecord('BERT')).to.include({ expires: '2099-12-31', hasPassword: false });
    expect(await macrosOf(macros)).to.deep.equal(await macrosOf(original.macros));
    expect((await macros.write(anna, uploadText(10))).before).to.equal(undefined);
    expect((await macros.versions(anna))[0]).to.include({ number: 2 });
    expect((await audit.state()).fault).to.equal(undefined);
    expect(await idempotency.begin(request, Date.now())).to.deep.equal({ kind: 'answered', answer });
    await idempotency.close();
    await Promise.all([original.macros.close(), macros.close()]);
  });

  it('refuses what is not empty, and a trail that is broken, and says which', async () => {
    await fill('first');
    expect((await copy('first', 'files', 'files')).code).to.equal(2);
    const trail = join(folder, 'first', 'audit.jsonl');
    const lines = readFileSync(trail, 'utf8');
    writeFileSync(trail, lines.replace('anna', 'bert'));
    const broken = await copy('first', 'files', 'postgresql');
    expect(broken.code).to.equal(1);
    expect(broken.stderr).to.match(/audit trail in files is broken/);
    writeFileSync(trail, lines);
    expect((await copy('first', 'files', 'postgresql')).code).to.equal(0);
    const again = await copy('first', 'files', 'postgresql');
    expect(again.stderr)
      .to.include('postgresql already contains 2 of groups')
      .and.include('drop schema sallyport cascade');
    const into = await copy('first', 'postgresql', 'files');
    expect(into.stderr)
      .to.include('files already contains 2 of groups')
      .and.include(`move ${join(folder, 'first')} away`);
  });

  it('refuses while a server works with the files or with the database, and copies nothing', async () => {
    await fill('first');
    await noteServing(join(folder, 'first'));
    const serving = await copy('first', 'files', 'postgresql');
    expect([serving.code, serving.stdout]).to.deep.equal([1, '']);
    expect(serving.stderr).to.match(/^Not copied: process \d+ is running with \S+first: stop it first\n$/);
    await noteStopped(join(folder, 'first'));
    const shared = await SharedStores.open(running().definition(), silentLog);
    try {
      await shared.idempotency.begin(request, Date.now());
      const seen = await copy('second', 'postgresql', 'files');
      expect([seen.code, seen.stdout]).to.deep.equal([1, '']);
      expect(seen.stderr).to.equal('Not copied: a process of Sallyport uses the database: stop all servers first\n');
    } finally {
      await shared.close();
    }
    await running().empty();
    expect((await copy('first', 'files', 'postgresql')).code).to.equal(0);
  });

  it('says what is to be done where it fails half way', async () => {
    await fill('first');
    await running().run(`create function sallyport.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no room'; end $$;
      create trigger refused before insert on sallyport.macro_versions execute function sallyport.refuse()`);
    try {
      const { code, stdout, stderr } = await copy('first', 'files', 'postgresql');
      expect([code, stderr]).to.deep.equal([1, 'Not copied: no room\n']);
      expect(stdout).to.match(/^Nothing was copied into postgresql\.$/m);
    } finally {
      await running().run('drop function sallyport.refuse() cascade');
    }
    expect((await copy('first', 'files', 'postgresql')).code).to.equal(0);
    const config = join(folder, 'second.yaml');
    const configured = readFileSync(config, 'utf8');
    writeFileSync(config, configured.replace(/^macros: .*\n/m, ''));
    const back = await copy('second', 'postgresql', 'files');
    expect([back.code, back.stderr]).to.deep.equal([
      1,
      'Not copied: there are macros, but the configuration has no folder for them\n',
    ]);
    expect(back.stdout).to.match(/^The files are incomplete, .* The next copy removes them first\.$/m);
    writeFileSync(config, configured);
    expect((await copy('second', 'postgresql', 'files')).code).to.equal(0);
  });

  describe('that is killed half way', () => {
    /** At the macros, behind users, tokens, settings and drafts. @param mode of the lock that others have there */
    async function killed(name: string, from: string, to: string, mode: 'share' | 'access exclusive'): Promise<void> {
      await running().run(`begin; lock table sallyport.macro_versions in ${mode} mode`);
      const words = ['store', 'copy', '--from', from, '--to', to, '--config', join(folder, `${name}.yaml`)];
      const copying = new SallyportProcess(words, folder);
      try {
        const waits = eventually(async () => {
          const [{ found } = { found: 0 }] = await running().run<{ found: number }>(
            `select count(*)::int as found from pg_locks where not granted and relation = 'sallyport.macro_versions'::regclass`,
          );
          return found > 0 ? true : undefined;
        });
        await awaited('sallyport store copy', 'wait for the lock of macro_versions', waits);
      } finally {
        copying.child.kill('SIGKILL');
        await copying.finished;
        await running().run('rollback');
      }
    }

    it('leaves nothing in the database, and is begun again', async () => {
      await fill('first');
      await killed('first', 'files', 'postgresql', 'share');
      const [found] = await running().run<{ groups: number }>('select count(*)::int as groups from sallyport.groups');
      expect(found).to.deep.equal({ groups: 0 });
      const again = await copy('first', 'files', 'postgresql');
      expect([again.stderr, again.code]).to.deep.equal(['', 0]);
    });

    it('leaves files that no server and no command takes, until it was begun again', async () => {
      await fill('first');
      expect((await copy('first', 'files', 'postgresql')).code).to.equal(0);
      await killed('second', 'postgresql', 'files', 'access exclusive');
      expect(readFileSync(join(folder, 'second', 'users', 'security.yaml'), 'utf8')).to.include('Anna');
      const onFiles = join(folder, 'files.yaml');
      writeFileSync(onFiles, readFileSync(join(folder, 'second.yaml'), 'utf8').replace(/^store: .*\n/m, ''));
      const half = `${join(folder, 'second')} is incomplete: sallyport store copy has not finished`;
      const served = await sallyport(['serve', '--config', onFiles], folder);
      expect([served.code, served.stdout]).to.deep.equal([1, '']);
      expect(served.stderr).to.include(`Sallyport did not start: ${half}`);
      expect(served.stderr).to.include('run sallyport store copy --from postgresql --to files again');
      for (const [words, code] of [
        [['check-config', onFiles], 1],
        [['doctor', '--offline', '--config', onFiles], 1],
        [['user', 'list', '--config', onFiles], 1],
        [['token', 'list', '--config', onFiles], 1],
        [['backup', '--config', onFiles, join(folder, 'archive.tar.gz')], 1],
      ] as const) {
        const told = await sallyportInProcess(words, { folder });
        expect([words[0], told.code]).to.deep.equal([words[0], code]);
        expect(`${told.stdout}${told.stderr}`).to.include(half);
      }
      const onward = await copy('second', 'files', 'postgresql');
      expect([onward.code, onward.stderr.includes(half)]).to.deep.equal([1, true]);
      // a server with the database goes on, and what is copied has changed since
      await running().run('delete from sallyport.tokens; delete from sallyport.settings');
      const again = await copy('second', 'postgresql', 'files');
      expect([again.stderr, again.code]).to.deep.equal(['', 0]);
      expect(again.stdout)
        .to.match(/^tokens: 0 rows/m)
        .and.to.match(/^users: 2 rows/m);
      const good = await sallyportInProcess(['check-config', onFiles], { folder });
      expect([good.stderr, good.code]).to.deep.equal(['', 0]);
      expect((await sallyportInProcess(['user', 'list', '--config', onFiles], { folder })).stdout).to.include('Anna');
    });
  });
}
