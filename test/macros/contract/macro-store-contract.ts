import { expect } from 'chai';
import { ServiceError } from '../../../src/lib/errors.js';
import type { MacroDirectory } from '../../../src/macros/macro-directory.js';
import type { MacroStore, RecordMacroChange, StoredMacros } from '../../../src/macros/macro-store.js';
import { listedVersions } from '../listed-versions.js';
import { uploadNumber, uploadText } from '../upload-text.js';

const MOST_MACRO_FILE_BYTES = 1024 * 1024;
const KEPT_VERSIONS = 5;

/** A store without files. */
export interface EmptyMacroStore {
  readonly store: MacroStore;
  /** Another one over the same files, as a second process has it; the same one where only one process may have them. */
  beside(): Promise<MacroStore>;
  remove(): Promise<void>;
}

const everybody: MacroDirectory = { level: 'global' };
const group = (name: string): MacroDirectory => ({ level: 'group', name });
const user = (name: string): MacroDirectory => ({ level: 'user', name });

/** What every store of macros does, wherever it keeps them. */
export function macroStoreContract(what: string, make: () => Promise<EmptyMacroStore>): void {
  describe(`${what}, as a store of macros`, () => {
    let made: EmptyMacroStore;
    let store: MacroStore;

    beforeEach(async () => {
      made = await make();
      store = made.store;
    });
    afterEach(() => made.remove());

    /** The code that something is refused with; undefined where it is done. */
    async function refusal(work: Promise<unknown>): Promise<string | undefined> {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) return undefined;
      expect(error).to.be.instanceOf(ServiceError);
      return (error as ServiceError).code;
    }
    const numberOf = (stored: Pick<StoredMacros, 'bytes'> | undefined) => stored && uploadNumber(stored.bytes);
    const versions = (directory = everybody) => listedVersions(store, directory);

    it('holds nothing at first', async () => {
      expect(await store.read(everybody)).to.equal(undefined);
      expect(await store.versions(everybody)).to.deep.equal([]);
      expect(await store.readVersion(everybody, 1)).to.equal(undefined);
      expect(await store.remove(everybody)).to.deep.equal({ before: undefined });
      for (const level of ['global', 'group', 'user'] as const) expect(await store.list(level)).to.deep.equal([]);
    });

    it('gives back what was written byte for byte, with a tag that says the same of the same bytes everywhere', async () => {
      const bytes = Buffer.from('\ufeff{ "macros" : [ ] ,"new":1,"new":2}\r\n');
      const { before, after } = await store.write(everybody, bytes);
      expect(before).to.equal(undefined);
      // printf '\xef\xbb\xbf{ "macros" : [ ] ,"new":1,"new":2}\r\n' | sha256sum | cut -c -32
      expect(after.etag).to.equal('"b2a53730a18665d7a9fd748d6ba3807c"');
      expect(after.bytes.equals(bytes)).to.equal(true);
      expect(await store.read(everybody)).to.deep.equal(after);
      expect(await (await made.beside()).read(everybody)).to.deep.equal(after);
      expect((await store.write(user('u1'), bytes)).after.etag).to.equal(after.etag);
    });

    it('tells directories apart, finds them in any case, and lists them by name', async () => {
      for (const [index, name] of ['ZOE', 'adam', '#1', 'EVE'].entries()) {
        await store.write(user(name), uploadText(index));
      }
      await store.write(group('Adam'), uploadText(7));
      await store.remove(user('eve'));
      expect(numberOf(await store.read(user('zoe')))).to.equal(0);
      expect(numberOf(await store.read(group('ADAM')))).to.equal(7);
      expect(numberOf(await store.read(user('ADAM')))).to.equal(1);
      expect((await store.list('user')).map(({ directory }) => directory)).to.deep.equal([
        user('#1'),
        user('adam'),
        user('zoe'),
      ]);
      const { after } = await store.write(everybody, uploadText(9));
      const { etag, modified, bytes } = after;
      expect(await store.list('global')).to.deep.equal([{ directory: everybody, etag, size: bytes.length, modified }]);
    });

    it('knows no name that no user and no group can have', async () => {
      for (const name of ['', '.', '..', '../global', 'a/b', 'a\0b', "x' OR '1'='1", 'ä', 'x'.repeat(65)]) {
        for (const work of [
          () => store.read(user(name)),
          () => store.write(group(name), uploadText(1)),
          () => store.versions(user(name)),
          () => store.readVersion(user(name), 1),
          () => store.restore(user(name), 1),
          () => store.remove(user(name)),
        ]) {
          expect(await refusal(work()), JSON.stringify(name)).to.equal('SVC_ERR_MACRO_DIRECTORY');
        }
      }
    });

    it('takes macro files and nothing else, up to their bound', async () => {
      await store.write(everybody, uploadText(1));
      const write = (text: string) => refusal(store.write(everybody, Buffer.from(text)));
      expect(await write('{"macros":[{"name":1}]}')).to.equal('SVC_ERR_MACRO_CONTENT');
      expect(await write('')).to.equal('SVC_ERR_MACRO_CONTENT');
      const largest = '{"macros":[]}'.padEnd(MOST_MACRO_FILE_BYTES);
      expect(await write(`${largest} `)).to.equal('SVC_ERR_MACRO_SIZE');
      expect(await versions()).to.deep.equal(['1:1*']);
      expect(await write(largest)).to.equal(undefined);
      expect((await store.read(everybody))?.bytes).to.have.length(MOST_MACRO_FILE_BYTES);
    });

    it(`keeps the current version and ${KEPT_VERSIONS} before it, and uses no number again`, async () => {
      for (let number = 1; number <= KEPT_VERSIONS + 1; number += 1) await store.write(everybody, uploadText(number));
      expect(await versions()).to.deep.equal(['6:6*', '5:5', '4:4', '3:3', '2:2', '1:1']);
      await store.write(everybody, uploadText(7));
      expect(await versions()).to.deep.equal(['7:7*', '6:6', '5:5', '4:4', '3:3', '2:2']);
      for (const number of [1, 0, 8, -1, 2.5, Number.NaN]) {
        expect(await store.readVersion(everybody, number), `${number}`).to.equal(undefined);
        expect(await refusal(store.restore(everybody, number))).to.equal('SVC_ERR_MACRO_DIRECTORY');
      }
      const { before } = await store.remove(everybody);
      expect(numberOf(before)).to.equal(7);
      expect(await store.read(everybody)).to.equal(undefined);
      expect(await versions()).to.deep.equal(['7:7', '6:6', '5:5', '4:4', '3:3', '2:2']);
      await store.write(everybody, uploadText(8));
      expect((await versions()).slice(0, 2)).to.deep.equal(['8:8*', '7:7']);
    });

    it('brings a version back as a new one, also where the file was removed', async () => {
      await store.write(everybody, uploadText(1));
      await store.write(everybody, uploadText(2));
      const { before, after } = await store.restore(everybody, 1);
      expect([before, after].map(numberOf)).to.deep.equal([2, 1]);
      expect(await versions()).to.deep.equal(['3:1*', '2:2', '1:1']);
      await store.remove(everybody);
      expect((await store.restore(everybody, 2)).before).to.equal(undefined);
      expect(await versions()).to.deep.equal(['4:2*', '3:1', '2:2', '1:1']);
    });

    it('makes no version of what is current already', async () => {
      const first = await store.write(everybody, uploadText(1));
      const again = await store.write(everybody, uploadText(1));
      expect(again).to.deep.equal({ before: first.after, after: first.after });
      expect(await versions()).to.deep.equal(['1:1*']);
    });

    it('changes what was expected and nothing else: another file, one where there was to be none, none where there was one', async () => {
      const changed = 'SVC_ERR_MACRO_CHANGED';
      const noFile = '"0123456789abcdef0123456789abcdef"';
      const of = (expected: string | null) => ({
        write: (number: number) => refusal(store.write(everybody, uploadText(number), { expected })),
        restore: () => refusal(store.restore(everybody, 1, { expected })),
        remove: () => refusal(store.remove(everybody, { expected })),
      });
      expect(await of(noFile).write(1)).to.equal(changed);
      expect(await of(noFile).remove()).to.equal(changed);
      expect(await of(null).write(1)).to.equal(undefined);
      const { etag = '' } = (await store.read(everybody)) ?? {};
      for (const expected of [null, noFile, '', etag.slice(1, -1)]) {
        const { write, restore, remove } = of(expected);
        expect(await write(2), `${expected}`).to.equal(changed);
        expect(await write(1), `the same bytes, ${expected}`).to.equal(changed);
        expect(await restore(), `${expected}`).to.equal(changed);
        expect(await remove(), `${expected}`).to.equal(changed);
      }
      expect(await versions()).to.deep.equal(['1:1*']);
      expect(await of(etag).restore()).to.equal(undefined);
      expect(await of(etag).write(3)).to.equal(undefined);
      expect(await of(etag).write(4)).to.equal(changed);
      expect(await of((await store.read(everybody))?.etag ?? '').remove()).to.equal(undefined);
      expect(await of(null).restore()).to.equal(undefined);
    });

    it('lets one of many win that all saw the same, whatever they do', async () => {
      const other = await made.beside();
      const { after } = await store.write(everybody, uploadText(0));
      const options = { expected: after.etag };
      const outcomes = await Promise.all(
        Array.from({ length: 48 }, (_, index) => {
          const one = index % 2 === 0 ? store : other;
          if (index % 8 === 6) return refusal(one.remove(everybody, options));
          return refusal(one.write(everybody, uploadText(index + 1), options));
        }),
      );
      expect(outcomes.filter((code) => code === undefined)).to.have.length(1);
      expect(outcomes.filter((code) => code === 'SVC_ERR_MACRO_CHANGED')).to.have.length(47);
    });

    it('lets one of many win that all saw no file', async () => {
      const other = await made.beside();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          refusal((index % 2 === 0 ? store : other).write(user('new'), uploadText(index), { expected: null })),
        ),
      );
      expect(outcomes.filter((code) => code === undefined)).to.have.length(1);
      expect(await versions(user('new'))).to.have.length(1);
    });

    it('loses none of many writes at once: each is a version, and stands on the one before it', async () => {
      const changes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.write(everybody, uploadText(index + 1))),
      );
      for (const [index, { before, after }] of changes.entries()) {
        expect(numberOf(after)).to.equal(index + 1);
        expect(before?.etag).to.equal(changes[index - 1]?.after.etag);
      }
      expect(await versions()).to.deep.equal(['50:50*', '49:49', '48:48', '47:47', '46:46', '45:45']);
    });

    it('stores the bytes as they were when it was called', async () => {
      const bytes = uploadText(1);
      const written = store.write(everybody, bytes);
      bytes.fill(0);
      await written;
      expect(await versions()).to.deep.equal(['1:1*']);
    });

    it('hands each change over before it makes it, and who reads meanwhile is given what was there', async () => {
      const told: unknown[] = [];
      const record: RecordMacroChange = async ({ before, after }: Parameters<RecordMacroChange>[0], makeIt) => {
        expect((await store.read(everybody))?.etag).to.equal(before?.etag);
        told.push([numberOf(before), numberOf(after)]);
        return makeIt();
      };
      await store.write(everybody, uploadText(1), { record });
      await store.write(everybody, uploadText(1), { record });
      await store.write(everybody, uploadText(2), { record });
      await store.restore(everybody, 1, { record });
      await store.remove(everybody, { record });
      await store.remove(everybody, { record });
      expect(told).to.deep.equal([
        [undefined, 1],
        [1, 1],
        [1, 2],
        [2, 1],
        [1, undefined],
      ]);
    });

    it('changes nothing that cannot be put on record', async () => {
      await store.write(everybody, uploadText(1));
      const record: RecordMacroChange = async () => {
        throw new Error('no record');
      };
      for (const change of [
        () => store.write(everybody, uploadText(2), { record }),
        () => store.restore(everybody, 1, { record }),
        () => store.remove(everybody, { record }),
        () => store.write(user('new'), uploadText(2), { record }),
      ]) {
        expect(await change().catch((error: Error) => error.message)).to.equal('no record');
      }
      expect(await versions()).to.deep.equal(['1:1*']);
      expect(await store.list('user')).to.deep.equal([]);
    });
  });
}
