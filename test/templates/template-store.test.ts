import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { ServiceError } from '../../src/lib/errors.js';
import type { Log } from '../../src/lib/log/log.js';
import type { FoundFile } from '../../src/templates/compiled-template.js';
import { TemplateStore, type TemplateStoreOptions } from '../../src/templates/template-store.js';
import { skipUnless } from '../support/need.js';
import { contextOf, renderAtOnce } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->\n';

describe('TemplateStore', () => {
  let parent: string;
  let folder: string;
  let lines: { msg: string; level: number }[];
  let log: Log;
  const stores: TemplateStore[] = [];

  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), 'template-store-'));
    folder = join(parent, 'pages');
    await mkdir(folder);
    lines = [];
    log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
    rmSync(parent, { recursive: true, force: true });
  });

  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const opened = async (options: Partial<TemplateStoreOptions> = {}) => {
    const store = new TemplateStore({ directory: folder, log, recheckMilliseconds: 20, ...options });
    stores.push(store);
    await store.open();
    return store;
  };
  const shown = (entry: FoundFile | undefined): string | undefined => {
    if (entry === undefined) return undefined;
    return entry.kind === 'static' ? entry.body.toString('utf8') : renderAtOnce(entry.template, contextOf({})).text;
  };
  /** Asks until the answer is right; mocha's time-out is the bound. */
  const untilFound = async (store: TemplateStore, name: string, wanted: string | undefined) => {
    for (;;) {
      const entry = await store.find(name).catch((error: unknown) => error as ServiceError);
      if (!(entry instanceof Error) && shown(entry) === wanted) return entry;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const untilLogged = async (store: TemplateStore, name: string, message: string) => {
    while (!lines.some(({ msg }) => msg.includes(message))) {
      await store.find(name).catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it('finds a name in any case', async () => {
    put('Ws1.Html', `${declaration}one`);
    const store = await opened();
    for (const name of ['WS1.HTML', 'ws1.html', 'Ws1.Html']) expect(shown(await store.find(name))).to.equal('one');
    expect(await store.find('ws2.html')).to.equal(undefined);
  });

  it('serves a static file byte for byte, with what caching needs', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0x0d, 0x0a]);
    put('logo.png', bytes);
    put('same.png', bytes);
    put('other.png', Buffer.from([0]));
    const store = await opened();
    const find = async (name: string) => {
      const entry = await store.find(name);
      if (entry?.kind !== 'static') throw new Error('a static entry is expected');
      return entry;
    };
    const logo = await find('LOGO.PNG');
    expect(logo.body.equals(bytes)).to.equal(true);
    expect(logo.contentType).to.equal('image/png');
    expect(logo.etag).to.match(/^"[\w-]{22}"$/);
    expect((await find('same.png')).etag).to.equal(logo.etag);
    expect((await find('other.png')).etag).not.to.equal(logo.etag);
    expect(logo.lastModified).to.be.instanceOf(Date);
  });

  it('serves from memory without asking the disk while nothing is due', async () => {
    put('a.html', `${declaration}one`);
    const store = await opened({ recheckMilliseconds: 600_000 });
    const first = await store.find('a.html');
    store.close();
    rmSync(join(folder, 'a.html'));
    expect(await store.find('A.HTML')).to.equal(first);
  });

  it('sees a change, a new file and a deletion by watching', async () => {
    put('a.html', `${declaration}one`);
    const store = await opened({ recheckMilliseconds: 600_000 });
    expect(shown(await store.find('a.html'))).to.equal('one');
    put('a.html', `${declaration}two`);
    await untilFound(store, 'a.html', 'two');
    put('b.html', 'new');
    await untilFound(store, 'b.html', 'new');
    rmSync(join(folder, 'a.html'));
    await untilFound(store, 'a.html', undefined);
  });

  it('sees them by looking again where no watcher speaks', async () => {
    put('a.html', `${declaration}one`);
    const store = await opened();
    expect(shown(await store.find('a.html'))).to.equal('one');
    store.close();
    put('new.html', `${declaration}two`);
    renameSync(join(folder, 'new.html'), join(folder, 'a.html'));
    await untilFound(store, 'a.html', 'two');
    put('b.html', 'new');
    await untilFound(store, 'b.html', 'new');
  });

  it('keeps the last good version of a template that breaks, says so once, and takes the repair', async () => {
    put('a.html', `${declaration}good`);
    const store = await opened();
    expect(shown(await store.find('a.html'))).to.equal('good');
    put('a.html', `${declaration}\n {{{CURENT-VALUE-OF "X"}}}`);
    await untilLogged(store, 'a.html', 'a.html:3:2: error: unknown tag CURENT-VALUE-OF');
    for (let times = 0; times < 50; times += 1) expect(shown(await store.find('a.html'))).to.equal('good');
    const said = lines.filter(({ msg }) => msg.includes('CURENT-VALUE-OF'));
    expect(said).to.have.lengthOf(1);
    expect(said[0]?.msg).to.include('last valid version stays active').and.include('\n   ^');
    put('a.html', `${declaration}better`);
    await untilFound(store, 'a.html', 'better');
  });

  it('answers TEMPLATE_BROKEN, with the place for the log alone, where there never was a good version', async () => {
    put('a.html', `${declaration}{{{NOPE}}}`);
    put('b.html', 'fine');
    const store = await opened();
    const error = await store.find('a.html').then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(ServiceError).with.property('code', 'SVC_ERR_TEMPLATE_BROKEN');
    expect((error as ServiceError).detail).to.equal('a.html:2:1: error: unknown tag NOPE');
    expect((error as ServiceError).description.exposed).to.equal(false);
    expect(shown(await store.find('b.html'))).to.equal('fine');
    put('a.html', `${declaration}good`);
    await untilFound(store, 'a.html', 'good');
  });

  it('takes a file of 4 MiB and refuses one byte more', async () => {
    put('a.txt', Buffer.alloc(4 * 1024 * 1024, 'x'));
    put('b.txt', Buffer.alloc(4 * 1024 * 1024 + 1, 'x'));
    const store = await opened();
    expect(shown(await store.find('a.txt'))).to.have.lengthOf(4 * 1024 * 1024);
    await expectRejection(store.find('b.txt'), 'longer than 4194304 bytes');
  });

  it('logs the first tag of a file without a declaration with file and line, once, and serves it', async () => {
    put('raw.html', '<p>\n{{{CURRENT-VALUE-OF "A"}}}');
    const store = await opened();
    for (let times = 0; times < 3; times += 1) {
      expect(shown(await store.find('raw.html'))).to.equal('<p>\n{{{CURRENT-VALUE-OF "A"}}}');
    }
    const said = lines.filter(({ level }) => level >= 40);
    expect(said).to.have.lengthOf(1);
    expect(said[0]?.msg).to.match(/^raw\.html:2:1: warning: \{\{\{CURRENT-VALUE-OF looks like a tag/);
  });

  it('converts a page in ISO-8859-1 that is sent in UTF-8, and logs where the first such byte is', async () => {
    put('a.html', Buffer.from(`${declaration}{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}Zürich`, 'latin1'));
    const store = await opened();
    const entry = await store.find('a.html');
    if (entry?.kind !== 'template') throw new Error('a template is expected');
    const page = renderAtOnce(entry.template, contextOf({}));
    expect(page.body.toString('hex')).to.equal('5ac3bc72696368');
    expect(page.contentType).to.equal('text/html; charset=UTF-8');
    expect(lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)).to.have.lengthOf(1);
    expect(lines.find(({ level }) => level === 40)?.msg).to.match(/^a\.html:2:36: warning: this byte is not UTF-8/);
  });

  it('never leaves the directory', async () => {
    writeFileSync(join(parent, 'secret.txt'), 'secret');
    await mkdir(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'deep.txt'), 'deep');
    put('.hidden', 'hidden');
    put('inside.txt', 'inside');
    symlinkSync('../secret.txt', join(folder, 'out.txt'));
    symlinkSync('inside.txt', join(folder, 'in.txt'));
    symlinkSync('/etc', join(folder, 'etc'));
    symlinkSync('nowhere', join(folder, 'dangling.txt'));
    const store = await opened();
    const names = ['../secret.txt', '..', '.', '', '.hidden', 'sub/deep.txt', 'sub\\deep.txt', 'sub', 'etc', 'out.txt'];
    for (const name of [...names, 'inside.txt\0', '/etc/passwd', 'dangling.txt']) {
      expect(await store.find(name), name).to.equal(undefined);
    }
    expect(shown(await store.find('in.txt'))).to.equal('inside');
  });

  it('never leaves it for a folder beside it whose name begins like its own', async () => {
    await mkdir(`${folder}-secret`);
    writeFileSync(join(`${folder}-secret`, 'key.txt'), 'secret');
    symlinkSync('../pages-secret/key.txt', join(folder, 'key.txt'));
    const store = await opened();
    expect(await store.find('key.txt')).to.equal(undefined);
  });

  it('is not held up by a named pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'real')]);
    symlinkSync('real', join(folder, 'pipe.txt'));
    const store = await opened();
    expect(await store.find('pipe.txt')).to.equal(undefined);
    expect(await store.find('real')).to.equal(undefined);
  });

  it('closes every file that it has read, and every one that it refuses', async function () {
    skipUnless(this, process.platform === 'linux', 'open files are counted in /proc');
    const openFiles = () => readdirSync('/proc/self/fd').length;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('pipe', join(folder, 'pipe.txt'));
    for (let number = 0; number < 50; number++) put(`${number}.txt`, 'x');
    const store = await opened();
    const before = openFiles();
    for (let number = 0; number < 50; number++) {
      await store.find(`${number}.txt`);
      await store.find('pipe.txt');
    }
    // others of this process may come and go meanwhile
    expect(openFiles()).to.be.below(before + 25);
  });

  it('takes names of 64 characters and none longer', async () => {
    put('n'.repeat(64), 'found');
    put('n'.repeat(65), 'never');
    const store = await opened();
    expect(shown(await store.find('n'.repeat(64)))).to.equal('found');
    expect(await store.find('n'.repeat(65))).to.equal(undefined);
  });

  it('warns of names that differ only in case and serves the first in order', async () => {
    put('ws1.html', 'small');
    put('WS1.HTML', 'large');
    const store = await opened();
    expect(shown(await store.find('Ws1.html'))).to.equal('large');
    expect(lines.filter(({ msg }) => msg === 'two templates differ only in case')).to.have.lengthOf(1);
  });

  it('keeps what fits into its cache and reads the rest again', async () => {
    for (const name of ['a', 'b', 'c']) put(`${name}.txt`, name.repeat(3000));
    const store = await opened({ cacheBytes: 10_000, recheckMilliseconds: 600_000 });
    const first = await store.find('a.txt');
    await store.find('b.txt');
    expect(await store.find('a.txt')).to.equal(first);
    await store.find('c.txt');
    expect(await store.find('a.txt')).to.equal(first);
    const b = await store.find('b.txt');
    expect(shown(b)).to.equal('b'.repeat(3000));
    expect(await store.find('c.txt').then(shown)).to.equal('c'.repeat(3000));
    expect(await store.find('a.txt')).not.to.equal(first);
  });

  it('shares one reading between requests that come together', async () => {
    put('a.html', `${declaration}one`);
    const store = await opened();
    const entries = await Promise.all(Array.from({ length: 50 }, () => store.find('a.html')));
    expect(new Set(entries).size).to.equal(1);
  });

  it('says at once that a directory does not exist', async () => {
    await expectRejection(opened({ directory: join(parent, 'none') }), `${join(parent, 'none')} cannot be read`);
  });

  it('goes on with what is cached when the directory vanishes, and comes back with it', async () => {
    put('a.html', `${declaration}one`);
    const store = await opened();
    await store.find('a.html');
    renameSync(folder, `${folder}-away`);
    await untilLogged(store, 'a.html', 'cannot be read');
    expect(shown(await store.find('a.html'))).to.equal('one');
    expect(await store.find('b.html')).to.equal(undefined);
    renameSync(`${folder}-away`, folder);
    put('a.html', `${declaration}two`);
    await untilFound(store, 'a.html', 'two');
    expect(lines.filter(({ msg }) => msg.includes('cannot be read'))).to.have.lengthOf(1);
  });

  it('ends with the whole content of a file that is written piece by piece', async () => {
    put('a.html', `${declaration}start`);
    const store = await opened({ recheckMilliseconds: 600_000 });
    expect(shown(await store.find('a.html'))).to.equal('start');
    let content = declaration;
    for (let piece = 0; piece < 20; piece += 1) {
      content += `${'x'.repeat(1000)}{{{VIRPLEX-CODE}}}\n`;
      put('a.html', content.slice(0, -5));
      await store.find('a.html').catch(() => undefined);
    }
    put('a.html', content);
    const wanted = content.slice(declaration.length).replaceAll('{{{VIRPLEX-CODE}}}', '');
    await untilFound(store, 'a.html', wanted);
    expect(await readFile(join(folder, 'a.html'), 'utf8')).to.equal(content);
    expect(readFileSync(join(folder, 'a.html')).length).to.equal(content.length);
  });

  async function expectRejection(promise: Promise<unknown>, message: string): Promise<void> {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(Error);
    expect((error as Error).message).to.include(message);
  }
});
