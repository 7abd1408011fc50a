import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { FileMacroStore } from '../../src/macros/file-macro-store.js';
import type { MacroDirectory } from '../../src/macros/macro-directory.js';
import { listedVersions } from './listed-versions.js';
import { uploadNumber, uploadText } from './upload-text.js';

const MOST_STORE_OPERATIONS = 256;
const MOST_MACRO_FILE_BYTES = 1024 * 1024;

const globalDirectory: MacroDirectory = { level: 'global' };
const group = (name: string): MacroDirectory => ({ level: 'group', name });
const user = (name: string): MacroDirectory => ({ level: 'user', name });
const writer = fileURLToPath(new URL('macro-writer.js', import.meta.url));

/** The code of the ServiceError, or of the system, that something is refused with. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error.code : ((error as NodeJS.ErrnoException).code ?? String(error));
  }
}

describe('FileMacroStore', () => {
  let folder: string;
  let store: FileMacroStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-macros-'));
    store = new FileMacroStore({ folder: join(folder, 'macros') });
    await store.open();
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const pathOf = (...names: string[]) => join(folder, 'macros', ...names);
  const versionsOf = (directory: MacroDirectory, from = store) => listedVersions(from, directory);

  it('gives back what was written, byte for byte', async () => {
    const bytes = Buffer.from('\ufeff{ "macros" : [ ] ,"new":1,"new":2}\r\n');
    expect(await store.read(globalDirectory)).to.equal(undefined);
    const { before, after } = await store.write(globalDirectory, bytes);
    expect(before).to.equal(undefined);
    expect(after.etag).to.match(/^"[0-9a-f]{32}"$/);
    expect(Math.abs(after.modified.getTime() - Date.now())).to.be.lessThan(60_000);
    const stored = await store.read(globalDirectory);
    expect(stored).to.deep.equal(after);
    expect(stored?.bytes.equals(bytes)).to.equal(true);
    // sha256sum of the same bytes
    const sum = spawnSync('sha256sum', { input: bytes, encoding: 'utf8' });
    if (sum.status === 0) expect(after.etag).to.equal(`"${sum.stdout.slice(0, 32)}"`);
    expect(await new FileMacroStore({ folder: pathOf() }).read(globalDirectory)).to.deep.equal(after);
  });

  it('stores each directory in a separate folder, with names in lower case', async () => {
    await store.write(globalDirectory, uploadText(1));
    await store.write(group('SYSPROG'), uploadText(2));
    await store.write(user('SysProg'), uploadText(3));
    expect(uploadNumber(await readFile(pathOf('global', 'macros.json')))).to.equal(1);
    expect(uploadNumber(await readFile(pathOf('group', 'sysprog', 'macros.json')))).to.equal(2);
    expect(uploadNumber(await readFile(pathOf('user', 'sysprog', 'macros.json')))).to.equal(3);
    expect((await store.read(group('sysProg')))?.bytes.equals(uploadText(2))).to.equal(true);
    expect(await readdir(folder)).to.deep.equal(['macros']);
    expect((await readdir(pathOf(), { recursive: true })).sort()).to.deep.equal([
      'global',
      'global/macros.json',
      'group',
      'group/sysprog',
      'group/sysprog/macros.json',
      'user',
      'user/sysprog',
      'user/sysprog/macros.json',
    ]);
  });

  it('lets nobody else read', async function () {
    if (process.platform === 'win32') this.skip();
    await store.write(user('u1'), uploadText(1));
    await store.write(user('u1'), uploadText(2));
    for (const name of ['', ...(await readdir(pathOf(), { recursive: true }))]) {
      const { mode } = await lstat(pathOf(name));
      expect((mode & 0o777).toString(8), name).to.equal(name.endsWith('.json') ? '600' : '700');
    }
  });

  describe('names that lead elsewhere', () => {
    const names = [
      '',
      '.',
      '..',
      '../global',
      '..\\x',
      '/etc',
      'a/b',
      'a/../../..',
      'a\0b',
      '%2e%2e',
      '.hidden',
      '-rf',
      'ä',
    ];
    for (const name of [...names, 'x'.repeat(65), 'a b', 'a\nb', 'C:x']) {
      it(JSON.stringify(name), async () => {
        for (const directory of [group(name), user(name)]) {
          const refused = 'SVC_ERR_MACRO_DIRECTORY';
          expect(await refusal(store.read(directory))).to.equal(refused);
          expect(await refusal(store.write(directory, uploadText(1)))).to.equal(refused);
          expect(await refusal(store.versions(directory))).to.equal(refused);
          expect(await refusal(store.readVersion(directory, 1))).to.equal(refused);
          expect(await refusal(store.restore(directory, 1))).to.equal(refused);
          expect(await refusal(store.remove(directory))).to.equal(refused);
        }
        expect(await readdir(pathOf())).to.deep.equal([]);
      });
    }

    it('a level that there is not', async () => {
      const directory = { level: '..', name: 'macros' } as unknown as MacroDirectory;
      expect(await refusal(store.write(directory, uploadText(1)))).to.equal('SVC_ERR_MACRO_DIRECTORY');
    });
  });

  describe('write', () => {
    it('stores nothing that is wrong', async () => {
      await store.write(globalDirectory, uploadText(1));
      const write = (text: string) => refusal(store.write(globalDirectory, Buffer.from(text)));
      expect(await write('{"macros":[{"name":1}]}')).to.equal('SVC_ERR_MACRO_CONTENT');
      expect(await write('')).to.equal('SVC_ERR_MACRO_CONTENT');
      expect(await write(' '.repeat(MOST_MACRO_FILE_BYTES + 1))).to.equal('SVC_ERR_MACRO_SIZE');
      expect(await versionsOf(globalDirectory)).to.deep.equal(['1:1*']);
      expect(await readdir(pathOf('global'))).to.deep.equal(['macros.json']);
    });

    it('minds what is to be replaced', async () => {
      const write = (number: number, expected?: string | null) =>
        store.write(globalDirectory, uploadText(number), { expected });
      const changed = 'SVC_ERR_MACRO_CHANGED';
      expect(await refusal(write(1, '"0123456789abcdef0123456789abcdef"'))).to.equal(changed);
      const { after } = await write(1, null);
      expect(await refusal(write(2, null))).to.equal(changed);
      const second = await write(2, after.etag);
      expect(second.before).to.deep.equal(after);
      expect(await refusal(write(3, after.etag))).to.equal(changed);
      await write(3, undefined);
      expect(await versionsOf(globalDirectory)).to.deep.equal(['3:3*', '2:2', '1:1']);
    });

    it('lets one of many through that all saw the same', async () => {
      const { after } = await store.write(globalDirectory, uploadText(0));
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          refusal(store.write(globalDirectory, uploadText(index + 1), { expected: after.etag })),
        ),
      );
      expect(outcomes.filter((code) => code === undefined)).to.have.length(1);
      expect(outcomes.filter((code) => code === 'SVC_ERR_MACRO_CHANGED')).to.have.length(49);
      expect(await versionsOf(globalDirectory)).to.deep.equal(['2:1*', '1:0']);
    });

    it('stores the bytes as they were when it was called', async () => {
      const bytes = uploadText(1);
      const written = store.write(globalDirectory, bytes);
      bytes.fill(0);
      await written;
      expect(await versionsOf(globalDirectory)).to.deep.equal(['1:1*']);
    });

    it('makes a version of each of 200 writes at once, in their order, while others read', async function () {
      this.timeout(180_000);
      let isWriting = true;
      const seen: number[] = [];
      const reading = (async () => {
        while (isWriting) {
          const stored = await store.read(globalDirectory);
          if (stored !== undefined) seen.push(uploadNumber(stored.bytes));
        }
      })();
      const changes = await Promise.all(
        Array.from({ length: 200 }, (_, index) => store.write(globalDirectory, uploadText(index + 1))),
      );
      isWriting = false;
      await reading;
      for (const [index, { before, after }] of changes.entries()) {
        expect(uploadNumber(after.bytes)).to.equal(index + 1);
        expect(before?.etag).to.equal(changes[index - 1]?.after.etag);
      }
      expect(await versionsOf(globalDirectory)).to.deep.equal([
        '200:200*',
        '199:199',
        '198:198',
        '197:197',
        '196:196',
        '195:195',
      ]);
      expect(seen).to.deep.equal(seen.toSorted((one, other) => one - other));
      expect((await readdir(pathOf('global'))).length).to.equal(6);
    });

    it('writes to different directories at once', async () => {
      const directories = Array.from({ length: 40 }, (_, index) => user(`U${index}`));
      await Promise.all(
        directories.flatMap((directory, index) =>
          [1, 2, 3].map((round) => store.write(directory, uploadText(index * 10 + round))),
        ),
      );
      for (const [index, directory] of directories.entries()) {
        expect(await versionsOf(directory)).to.deep.equal([
          `3:${index * 10 + 3}*`,
          `2:${index * 10 + 2}`,
          `1:${index * 10 + 1}`,
        ]);
      }
    });

    it('takes so many at once and no more', async () => {
      const text = Buffer.from('{"macros":[]}');
      const outcomes = await Promise.all(
        Array.from({ length: MOST_STORE_OPERATIONS + 1 }, (_, index) => refusal(store.write(user(`U${index}`), text))),
      );
      expect(outcomes.slice(0, -1).filter((code) => code !== undefined)).to.deep.equal([]);
      expect(outcomes.at(-1)).to.equal('SVC_ERR_SERVICE_BUSY');
      expect(await refusal(store.write(user('LATER'), text))).to.equal(undefined);
    });
  });

  describe('versions', () => {
    it('are the current one and the five before it', async () => {
      expect(await store.versions(globalDirectory)).to.deep.equal([]);
      for (let number = 1; number <= 6; number += 1) await store.write(globalDirectory, uploadText(number));
      expect(await versionsOf(globalDirectory)).to.deep.equal(['6:6*', '5:5', '4:4', '3:3', '2:2', '1:1']);
      await store.write(globalDirectory, uploadText(7));
      expect(await versionsOf(globalDirectory)).to.deep.equal(['7:7*', '6:6', '5:5', '4:4', '3:3', '2:2']);
      for (const number of [1, 0, 8, -1, 2.5, Number.NaN]) {
        expect(await store.readVersion(globalDirectory, number), `${number}`).to.equal(undefined);
        expect(await refusal(store.restore(globalDirectory, number))).to.equal('SVC_ERR_MACRO_DIRECTORY');
      }
    });

    it('come back as new ones', async () => {
      for (let number = 1; number <= 6; number += 1) await store.write(globalDirectory, uploadText(number));
      const { before, after } = await store.restore(globalDirectory, 1);
      expect([before, after].map((stored) => uploadNumber(stored?.bytes ?? Buffer.of()))).to.deep.equal([6, 1]);
      expect(await store.read(globalDirectory)).to.deep.equal(after);
      expect(await versionsOf(globalDirectory)).to.deep.equal(['7:1*', '6:6', '5:5', '4:4', '3:3', '2:2']);
    });

    it('survive the removal of the file, and their numbers too', async () => {
      expect(await store.remove(globalDirectory)).to.deep.equal({ before: undefined });
      await store.write(globalDirectory, uploadText(1));
      await store.write(globalDirectory, uploadText(2));
      const { before } = await store.remove(globalDirectory);
      expect(uploadNumber(before?.bytes ?? Buffer.of())).to.equal(2);
      expect(await store.read(globalDirectory)).to.equal(undefined);
      expect(await versionsOf(globalDirectory)).to.deep.equal(['2:2', '1:1']);
      await store.write(globalDirectory, uploadText(3), { expected: null });
      expect(await versionsOf(globalDirectory)).to.deep.equal(['3:3*', '2:2', '1:1']);
      await store.remove(globalDirectory);
      await store.restore(globalDirectory, 3);
      expect(await versionsOf(globalDirectory)).to.deep.equal(['4:3*', '3:3', '2:2', '1:1']);
    });
  });

  describe('list', () => {
    it('gives the directories that have a file, in the order of their names', async () => {
      for (const level of ['global', 'group', 'user'] as const) expect(await store.list(level)).to.deep.equal([]);
      for (const [index, name] of ['ZOE', 'adam', '#1', 'EVE'].entries())
        await store.write(user(name), uploadText(index));
      await store.remove(user('EVE'));
      const { after } = await store.write(globalDirectory, uploadText(9));
      const listed = await store.list('user');
      expect(listed.map(({ directory }) => directory)).to.deep.equal([user('#1'), user('adam'), user('zoe')]);
      expect(await store.list('group')).to.deep.equal([]);
      expect(await store.list('global')).to.deep.equal([
        { directory: globalDirectory, etag: after.etag, size: after.bytes.length, modified: after.modified },
      ]);
    });

    it('leaves out what the store did not make', async () => {
      await store.write(user('adam'), uploadText(1));
      await mkdir(pathOf('user', 'EVE'));
      await writeFile(pathOf('user', 'EVE', 'macros.json'), uploadText(2));
      await writeFile(pathOf('user', 'file'), 'x');
      await mkdir(pathOf('user', 'folder', 'macros.json'), { recursive: true });
      await mkdir(pathOf('user', 'large'));
      await writeFile(pathOf('user', 'large', 'macros.json'), ' '.repeat(MOST_MACRO_FILE_BYTES + 1));
      expect((await store.list('user')).map(({ directory }) => directory)).to.deep.equal([user('adam')]);
    });
  });

  describe('the disk', () => {
    it('is not followed through a link', async function () {
      if (process.platform === 'win32') this.skip();
      await writeFile(join(folder, 'secret'), 'x');
      await mkdir(pathOf('user', 'eve'), { recursive: true });
      await symlink(join(folder, 'secret'), pathOf('user', 'eve', 'macros.json'));
      expect(await refusal(store.read(user('eve')))).to.equal('ELOOP');
      expect(await refusal(store.write(user('eve'), uploadText(1)))).to.equal('ELOOP');
    });

    it('leaves all as it was where a file cannot be made', async () => {
      await store.write(globalDirectory, uploadText(1));
      await mkdir(pathOf('group'));
      await writeFile(pathOf('group', 'g1'), 'no folder');
      expect(await refusal(store.write(group('g1'), uploadText(1)))).to.be.oneOf(['ENOTDIR', 'EEXIST']);
      // permissions do not hold root
      if (process.getuid?.() === 0) return;
      await chmod(pathOf('global'), 0o500);
      expect(await refusal(store.write(globalDirectory, uploadText(2)))).to.equal('EACCES');
      expect(await versionsOf(globalDirectory)).to.deep.equal(['1:1*']);
      await chmod(pathOf('global'), 0o700);
    });

    it('leaves all as it was where a file cannot be written to its end', async function () {
      if (process.platform === 'win32') this.skip();
      // ulimit counts blocks of 512 or 1024 bytes; the system stops the write in the middle of the file
      const shell = spawnSync(
        'sh',
        ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, writer, pathOf(), '1', '100000'],
        {
          encoding: 'utf8',
        },
      );
      expect(shell.stdout.trim(), shell.stderr).to.equal('EFBIG');
      expect(await versionsOf(globalDirectory)).to.deep.equal(['1:1*']);
      expect(await readdir(pathOf('global'))).to.deep.equal(['macros.json']);
    });

    it('says which folder cannot be used', async () => {
      await writeFile(join(folder, 'file'), 'x');
      const wrong = new FileMacroStore({ folder: join(folder, 'file') });
      expect(await wrong.open().catch((error: Error) => error.message)).to.include(join(folder, 'file'));
    });

    it('is cleaned of what a killed process left, and of nothing else', async () => {
      await store.write(user('u1'), uploadText(1));
      const left = pathOf('user', 'u1', '.macros-0123456789abcdef.tmp');
      const other = pathOf('user', 'u1', 'notes.tmp');
      await Promise.all([writeFile(left, '{"macros":'), writeFile(other, 'mine')]);
      await new FileMacroStore({ folder: pathOf() }).open();
      expect((await readdir(pathOf('user', 'u1'))).sort()).to.deep.equal(['macros.json', 'notes.tmp']);
    });
  });

  describe('close', () => {
    it('waits for what is under way and takes no more', async () => {
      const writes = [1, 2, 3].map((number) => store.write(globalDirectory, uploadText(number)));
      const closed = store.close();
      expect(await refusal(store.write(globalDirectory, uploadText(4)))).to.equal('SVC_ERR_SERVICE_STOPPING');
      await closed;
      expect(uploadNumber(await readFile(pathOf('global', 'macros.json')))).to.equal(3);
      await Promise.all(writes);
    });
  });
});
