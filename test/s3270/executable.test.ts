import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';

const UNKNOWN_USER = 54_321;

/** As it is installed: beside no sources. */
describe('the executable s3270', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-s3270-'));
  const program = join(folder, 'dist', 'runtime', 's3270-sessions.cjs');
  const executable = join(folder, 'scripts', 's3270.cjs');
  const home = join(folder, 'home');
  const cacheFolder = join(home, '.cache', 'sallyport');
  const own = { status: 0, stdout: 'data: IBM-3279-4-E\nL U U N N 4 24 80 0 0 0x0 0.000\nok\n', stderr: '' };

  before(() => {
    for (const file of [
      'package.json',
      'scripts/kept-code.cjs',
      'scripts/run-s3270.cjs',
      'scripts/s3270.cjs',
      'dist/runtime/s3270.cjs',
      'dist/runtime/s3270-sessions.cjs',
    ])
      cpSync(join(projectFolder, file), join(folder, file));
    mkdirSync(home);
  });

  beforeEach(() => rmSync(cacheFolder, { recursive: true, force: true }));

  after(() => rmSync(folder, { recursive: true }));

  /** @param user a number, without a home */
  function run(input = 'Query(Model)\nQuit\n', words: readonly string[] = [], folderOfUser = home, user?: number) {
    const { HOME, ...others } = process.env;
    const env = { ...others, SALLYPORT_S3270_SOCKET: join(folder, 'none.sock') };
    const { status, stdout, stderr } = spawnSync(executable, words, {
      input,
      env: user === undefined ? { ...env, HOME: folderOfUser } : env,
      uid: user,
      encoding: 'utf8',
    });
    return { status, stdout: stdout.replace(/\d+\.\d{3}$/m, '0.000'), stderr };
  }

  function onlyFile(): string {
    const files = readdirSync(cacheFolder);
    expect(files).to.have.length(1);
    return join(cacheFolder, files[0] as string);
  }

  /** What was kept by another run is another file. */
  function isTakenAgain(change: (file: string) => void): boolean {
    run();
    const before = statSync(onlyFile()).ino;
    change(onlyFile());
    expect(run()).to.deep.equal(own);
    return statSync(onlyFile()).ino === before;
  }

  it('keeps what was compiled, closed to others, and takes it at the next start', () => {
    expect(run()).to.deep.equal(own);
    expect(statSync(onlyFile()).mode & 0o777).to.equal(0o600);
    expect(statSync(cacheFolder).mode & 0o777).to.equal(0o700);
    expect(isTakenAgain(() => {})).to.equal(true);
  });

  it('compiles again where what was kept is truncated, has another byte, or is empty', () => {
    const withByteOf = (at: number) => (file: string) => {
      const bytes = readFileSync(file);
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(file, bytes);
    };
    const changes = [withByteOf(0), withByteOf(4), withByteOf(200_000)];
    for (const change of [...changes, cutTo(0), cutTo(3), cutTo(4), cutTo(100_000)])
      expect(isTakenAgain(change)).to.equal(false);

    function cutTo(length: number) {
      return (file: string) => writeFileSync(file, readFileSync(file).subarray(0, length));
    }
  });

  it('compiles another version of itself, as long as the one before', () => {
    run();
    const text = readFileSync(program, 'utf8');
    writeFileSync(program, text.replaceAll('4.6ga1', '4.6ga7'));
    try {
      expect(run('', ['-v']).stderr).to.match(/^s3270 v4\.6ga7 /);
    } finally {
      writeFileSync(program, text);
    }
    expect(run('', ['-v']).stderr).to.match(/^s3270 v4\.6ga1 /);
  });

  it('takes nothing that another user has written', function () {
    skipUnless(this, process.getuid?.() === 0, 'only root can give a file to somebody else');
    expect(isTakenAgain((file) => chownSync(file, 1, 1))).to.equal(false);
  });

  it('answers where nothing can be kept', () => {
    const noFolder = join(folder, 'file');
    writeFileSync(noFolder, '');
    expect(run(undefined, [], noFolder)).to.deep.equal(own);
  });

  it('answers a user without a home', function () {
    skipUnless(this, process.getuid?.() === 0, 'only root can become a user that the system does not know');
    chmodSync(folder, 0o755);
    expect(run(undefined, [], undefined, UNKNOWN_USER)).to.deep.equal(own);
  });
});
