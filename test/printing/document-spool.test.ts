import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DocumentSpool } from '../../src/printing/document-spool.js';
import { FileSpoolStore } from '../../src/printing/file-spool-store.js';
import { MemorySpoolStore, type SpoolStore } from '../../src/printing/spool-store.js';
import type { PrintedPage } from '../../src/tn3270/print/printed-page.js';
import { eventually } from '../support/eventually.js';

const page = (text: string): PrintedPage => [[{ column: 0, text, style: 0 }]];
const facts = (number: number, printed = 0) => ({ number, printed, pages: 1, isComplete: true });
/** Bytes of a page of one character: the number of its lines, and its line. */
const BYTES = '1\n[{"column":0,"text":"A","style":0}]\n'.length;
const usual = { documents: 10, bytes: 1_000, milliseconds: 1_000 };

describe('DocumentSpool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-spool-'));
  let made = 0;
  const newFolder = () => join(folder, String(++made));

  after(() => rmSync(folder, { recursive: true }));

  const stores = {
    'in memory': async () => new MemorySpoolStore(),
    'in files': async () => (await FileSpoolStore.open(newFolder(), () => undefined)).store,
  };

  for (const [where, storeOf] of Object.entries(stores)) {
    describe(where, () => {
      const spoolOf = async (limits: Partial<typeof usual>, now = () => 0) =>
        new DocumentSpool({ limits: { ...usual, ...limits }, store: await storeOf(), now });

      it('keeps as many as it may; those that were opened make room, the others do not', async () => {
        const spool = await spoolOf({ documents: 2 });
        const two = Promise.all([spool.add(facts(1), [page('A')]), spool.add(facts(2), [page('B')])]);
        expect(await two).to.deep.equal([true, true]);
        expect([spool.hasRoom, await spool.add(facts(3), [page('C')])]).to.deep.equal([false, false]);
        expect(await spool.read(1)).to.deep.equal({ facts: facts(1), pages: [page('A')] });
        expect([spool.hasRoom, await spool.add(facts(3), [page('C')])]).to.deep.equal([true, true]);
        expect(spool.list().map(({ number }) => number)).to.deep.equal([3, 2]);
        expect(await spool.read(1)).to.equal(undefined);
      });

      it('takes as many bytes as it may, and not one more', async () => {
        const spool = await spoolOf({ bytes: 2 * BYTES });
        expect(await spool.add(facts(1), [page('A')])).to.equal(true);
        expect(await spool.add(facts(2), [page('AB')])).to.equal(false);
        expect(await spool.add(facts(2), [page('B')])).to.equal(true);
        expect(spool.hasRoom).to.equal(false);
      });

      it('has the bytes of a document again, once it has made room or is too old', async () => {
        let now = 0;
        const spool = await spoolOf({ bytes: 2 * BYTES }, () => now);
        const added: boolean[] = [];
        for (const number of [1, 2, 3, 4, 5]) {
          added.push(await spool.add(facts(number), [page('A')]));
          await spool.read(number);
        }
        expect(added).to.deep.equal([true, true, true, true, true]);
        expect(spool.list().map(({ number }) => number)).to.deep.equal([5, 4]);
        now = 1_001;
        expect(await spool.add(facts(6, now), [page('A')])).to.equal(true);
        expect(await spool.add(facts(7, now), [page('A')])).to.equal(true);
        expect([await spool.add(facts(8, now), [page('A')]), spool.unopenedShare]).to.deep.equal([false, 1]);
      });

      it('removes what is too old, and nothing before', async () => {
        let now = 0;
        const spool = await spoolOf({}, () => now);
        await spool.add(facts(1), [page('A')]);
        now = 1_000;
        expect(spool.list()).to.have.length(1);
        now = 1_001;
        expect([spool.list(), await spool.read(1)]).to.deep.equal([[], undefined]);
      });

      it('shows nobody a document that is being stored', async () => {
        const store = await storeOf();
        let letGo: () => void = () => undefined;
        const gate = new Promise<void>((resolve) => {
          letGo = resolve;
        });
        const slow: SpoolStore = {
          put: async (...document) => {
            await gate;
            await store.put(...document);
          },
          get: (number) => store.get(number),
          markRead: (number) => store.markRead(number),
          remove: (number) => store.remove(number),
        };
        const spool = new DocumentSpool({ limits: usual, store: slow, now: () => 0 });
        const added = spool.add(facts(1), [page('A')]);
        await eventually(() => spool.lastNumber === 1 || undefined);
        expect([spool.list(), await spool.read(1), await spool.read(2)]).to.deep.equal([[], undefined, undefined]);
        letGo();
        expect([await added, spool.list()]).to.deep.equal([true, [facts(1)]]);
      });

      it('has nothing of a document that was removed from its store', async () => {
        const store = await storeOf();
        await store.put(facts(1), Buffer.from('content'));
        expect((await store.get(1))?.toString()).to.equal('content');
        await store.remove(1);
        expect(await store.get(1).catch(() => 'gone')).to.be.oneOf([undefined, 'gone']);
      });

      it('tells whoever watches, until he leaves', async () => {
        const spool = await spoolOf({});
        const told: number[] = [];
        const leave = spool.watch(({ number }) => told.push(number));
        await spool.add(facts(1), [page('A')]);
        leave();
        await spool.add(facts(2), [page('B')]);
        expect(told).to.deep.equal([1]);
      });

      it('keeps pages as they were: blank ones, many lines, and whatever characters', async () => {
        const spool = await spoolOf({ bytes: 10_000_000 });
        const line = [{ column: 3, text: '\u65e5\n"\u{1f600}', style: 513 }];
        const pages = [[], [[], line], new Array(1_000).fill(line), []];
        await spool.add(facts(1), pages);
        expect((await spool.read(1))?.pages).to.deep.equal(pages);
      });
    });
  }

  it('finds after a restart what it had: opened or not, for the server alone; half files are removed, others stay', async () => {
    const path = newFolder();
    const reopen = async (now = 0) => {
      const strange: string[] = [];
      const { store, documents } = await FileSpoolStore.open(path, (file) => strange.push(file));
      const spool = new DocumentSpool({ limits: { ...usual, documents: 2 }, store, documents, now: () => now });
      return { spool, strange };
    };
    const first = await reopen();
    for (const number of [1, 2]) await first.spool.add(facts(number), [page('A')]);
    await first.spool.read(1);
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777, name).to.equal(0o600);
    expect(statSync(path).mode & 0o777).to.equal(0o700);
    writeFileSync(join(path, '3.new.jsonl.4194305.new'), '{"number":3');
    writeFileSync(join(path, '4.new.jsonl'), '{"number":4');
    writeFileSync(join(path, '5.new.jsonl'), `${JSON.stringify(facts(6))}\n`);
    mkdirSync(join(path, 'folder'));
    const { spool, strange } = await reopen();
    expect(strange.sort()).to.deep.equal(['4.new.jsonl', '5.new.jsonl', 'folder'].map((name) => join(path, name)));
    expect(readdirSync(path)).not.to.include('3.new.jsonl.4194305.new');
    expect(spool.list()).to.deep.equal([facts(2), facts(1)]);
    expect([spool.hasRoom, spool.lastNumber]).to.deep.equal([true, 2]);
    // the first one was opened, and makes room
    expect([await spool.add(facts(3), [page('C')]), await spool.add(facts(6), [page('D')])]).to.deep.equal([
      true,
      false,
    ]);
    expect(spool.list().map(({ number }) => number)).to.deep.equal([3, 2]);
    expect((await reopen(1_001)).spool.list()).to.deep.equal([]);
    await eventually(() => readdirSync(path).every((name) => !/^[23]\./.test(name)) || undefined);
  });

  it('keeps no room for a document that could not be stored', async () => {
    for (const limits of [
      { ...usual, documents: 1 },
      { ...usual, bytes: BYTES },
    ]) {
      const path = newFolder();
      const { store } = await FileSpoolStore.open(path, () => undefined);
      const spool = new DocumentSpool({ limits, store, now: () => 0 });
      rmSync(path, { recursive: true });
      const failed = await spool.add(facts(1), [page('A')]).catch((error: unknown) => error);
      expect(String(failed)).to.include('ENOENT');
      expect([spool.list(), spool.hasRoom, spool.unopenedShare]).to.deep.equal([[], true, 0]);
      mkdirSync(path);
      expect(await spool.add(facts(2), [page('B')])).to.equal(true);
      expect(spool.list().map(({ number }) => number)).to.deep.equal([2]);
    }
  });

  it('says so where a file is not as it was', async () => {
    const path = newFolder();
    const { store } = await FileSpoolStore.open(path, () => undefined);
    const spool = new DocumentSpool({ limits: usual, store, now: () => 0 });
    await spool.add(facts(1), [page('A'), page('B')]);
    const file = join(path, '1.new.jsonl');
    truncateSync(file, readFileSync(file).length - 5);
    const failed = await spool.read(1).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(SyntaxError);
  });

  it('is not opened where the folder has more files than it may', async () => {
    const path = newFolder();
    mkdirSync(path);
    for (let at = 0; at < 10_000; at++) writeFileSync(join(path, `x${at}`), '');
    let strange = 0;
    await FileSpoolStore.open(path, () => strange++);
    expect(strange).to.equal(10_000);
    writeFileSync(join(path, 'one-more'), '');
    const failed = await FileSpoolStore.open(path, () => undefined).catch((error: unknown) => error);
    expect(String(failed)).to.include('has 10001 files; the maximum is 10000');
  });
});
