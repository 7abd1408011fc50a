import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { backupBounds, manifestText, pathFault, readManifest } from '../../src/cli/backup/backup-manifest.js';
import { BACKED_UP_CONFIGURATION } from './backed-up-configuration.js';
import { sallyportInProcess } from './command-in-process.js';
import { type ArchiveEntry, archiveOf, manifestOf } from './tar-archive.js';

describe('an archive of a backup that is not what it says', () => {
  let folder: string;
  let state: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-backup-'));
    state = join(folder, 'state');
    await writeFile(join(folder, 'sallyport.yaml'), BACKED_UP_CONFIGURATION);
    await mkdir(state);
    await writeFile(join(state, 'kept'), '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function restored(entries: readonly ArchiveEntry[] | Buffer): Promise<string> {
    const archive = Buffer.isBuffer(entries) ? entries : archiveOf(entries);
    await writeFile(join(folder, 'given.tar.gz'), archive);
    const { code, stdout, stderr } = await sallyportInProcess(['restore', 'given.tar.gz'], { folder });
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(await readdir(folder)).to.have.members(['given.tar.gz', 'sallyport.yaml', 'state']);
    expect(await readdir(state)).to.deep.equal(['kept']);
    return stderr;
  }

  it('is refused where its files are damaged, missing, too many or no files', async () => {
    const file = { path: 'data/a', content: 'one' };
    const other = { path: 'data/a', content: 'two' };
    const manifest = manifestOf([file]);
    expect(await restored([manifest, other])).to.match(/"data\/a" is damaged: its SHA-256 does not match\n$/);
    expect(await restored([manifest])).to.match(/"data\/a" is missing\n$/);
    expect(await restored([manifest, file, { path: 'data/b', content: '' }])).to.match(/"data\/b" is rejected/);
    expect(await restored([manifest, { ...file, path: 'data/c' }])).to.match(/"data\/c" is rejected/);
    expect(await restored([manifest, { ...file, content: 'longer' }])).to.match(/"data\/a" is rejected/);
    for (const type of ['SymbolicLink', 'Link', 'Directory', 'CharacterDevice'] as const) {
      const entry = {
        path: 'data/a',
        content: '',
        type,
        ...(type.endsWith('Link') ? { linkpath: '/etc/passwd' } : {}),
      };
      const asEmpty = manifestOf([{ path: 'data/a', content: '' }]);
      expect(await restored([asEmpty, entry]), type).to.match(/"data\/a\/?" is rejected: it is not a file \(\w+\)\n$/);
    }
  });

  it('is refused where a path leads out of it', async () => {
    for (const path of [
      '../evil',
      'data/../../evil',
      '/evil',
      'data//evil',
      'data/./evil',
      'data\\..\\evil',
      'other/a',
      'data',
    ]) {
      const file = { path, content: 'x' };
      expect(await restored([manifestOf([file]), file]), path).to.match(/ is rejected: /);
      expect(await restored([manifestOf([{ ...file, path: 'data/a' }]), file]), path).to.match(/ is rejected: /);
    }
  });

  it('is refused where it is cut off, no archive, or none of ours', async () => {
    const whole = archiveOf([
      manifestOf([{ path: 'data/a', content: 'x'.repeat(10_000) }]),
      { path: 'data/a', content: 'x'.repeat(10_000) },
    ]);
    for (const bytes of [0, 1, 20, whole.length - 20]) {
      expect(await restored(whole.subarray(0, bytes)), `${bytes}`).to.match(
        /^Nothing was restored: given\.tar\.gz is not used: /,
      );
    }
    expect(await restored(Buffer.from('nonsense'))).to.match(/it is damaged, or not a backup/);
    expect(await restored(gzipSync('nonsense'.repeat(200)))).to.match(/it is damaged, or not a backup|is empty/);
    expect(await restored([{ path: 'data/a', content: 'x' }])).to.match(/begins with "data\/a"/);
    expect(await restored([{ path: 'manifest.json', content: '{"files":[]}' }])).to.match(
      /is not the manifest of a backup/,
    );
  });

  it('is refused where its unpacked size exceeds the size in its manifest', async () => {
    const bomb = gzipSync(Buffer.concat([archiveOf([manifestOf([])], false), Buffer.alloc(128 * 1024)]));
    expect(await restored(bomb)).to.match(/its unpacked size exceeds the size in its manifest\n$/);
  });
});

describe('the manifest of a backup', () => {
  it('bounds files, bytes, paths and names', () => {
    const file = (path: string, bytes = 1) => ({ path, bytes, mode: 0o600, sha256: 'a'.repeat(64) });
    const manifest = (files: readonly ReturnType<typeof file>[]) =>
      manifestText({ version: '1', made: new Date(0).toISOString(), roots: ['data'], files });
    const bounds = { ...backupBounds, files: 2, bytes: 10 };
    const kind = (...files: ReturnType<typeof file>[]) => readManifest(manifest(files), bounds).kind;
    expect(kind(file('data/a'), file('data/b'))).to.equal('read');
    expect(kind(file('data/a'), file('data/b'), file('data/c'))).to.equal('fault');
    expect(kind(file('data/a', 4), file('data/b', 6))).to.equal('read');
    expect(kind(file('data/a', 4), file('data/b', 7))).to.equal('fault');
    expect(kind(file('data/a'), file('data/a'))).to.equal('fault');
    expect(readManifest(manifest([{ ...file('data/a'), mode: 0o1777 }])).kind).to.equal('fault');
    expect(pathFault(`data/${'n'.repeat(255)}`)).to.equal(undefined);
    expect(pathFault(`data/${'n'.repeat(256)}`)).to.match(/more than 255 bytes/);
    expect(pathFault(Array(16).fill('d').join('/'))).to.equal(undefined);
    expect(pathFault(Array(17).fill('d').join('/'))).to.match(/more than 16 folders/);
    const long = `${'d'.repeat(200)}/`.repeat(5);
    expect(pathFault(`${long}${'n'.repeat(1_024 - long.length)}`)).to.equal(undefined);
    expect(pathFault(`${long}${'n'.repeat(1_025 - long.length)}`)).to.match(/more than 1024 characters/);
  });
});
