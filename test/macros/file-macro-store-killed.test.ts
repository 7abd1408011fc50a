import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { FileMacroStore } from '../../src/macros/file-macro-store.js';
import type { MacroDirectory } from '../../src/macros/macro-directory.js';
import { rounds } from '../support/rounds.js';
import { listedVersions } from './listed-versions.js';
import { uploadNumber, uploadText } from './upload-text.js';

const globalDirectory: MacroDirectory = { level: 'global' };
const writer = fileURLToPath(new URL('macro-writer.js', import.meta.url));

describe('FileMacroStore whose process is killed', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-macros-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const pathOf = (...names: string[]) => join(folder, 'macros', ...names);

  describe('after kill -9', () => {
    const directories: readonly MacroDirectory[] = [
      globalDirectory,
      { level: 'group', name: 'G1' },
      { level: 'user', name: 'U1' },
    ];

    /** Lets another process write and kills it some time after so many writes; gives the last upload stored by level. */
    async function writeAndKill(
      first: number,
      afterWrites: number,
      milliseconds: number,
    ): Promise<Map<string, number>> {
      const child = spawn(process.execPath, [writer, pathOf(), `${first}`], { stdio: ['ignore', 'pipe', 'inherit'] });
      const stored = new Map<string, number>();
      let count = 0;
      const ended = once(child, 'close');
      for await (const line of createInterface({ input: child.stdout })) {
        const [level = '', number] = line.split(' ');
        stored.set(level, Number(number));
        count += 1;
        if (count === Math.max(afterWrites, 1)) {
          await wait(milliseconds);
          child.kill('SIGKILL');
        }
      }
      await ended;
      expect(child.signalCode).to.equal('SIGKILL');
      return stored;
    }

    const moments = [
      [1, 0],
      [10, 0],
      [45, 1],
      [150, 3],
      [3, 1],
      [20, 2],
      [90, 0],
    ] as const;
    for (const [afterWrites, milliseconds] of moments.slice(0, rounds(moments.length, 4))) {
      it(`each file is one whole upload (after ${afterWrites} writes and ${milliseconds} ms)`, async () => {
        for (const first of [1, 1001]) {
          const acknowledged = await writeAndKill(first, afterWrites, milliseconds);
          const reopened = new FileMacroStore({ folder: pathOf() });
          await reopened.open();
          const names = await readdir(pathOf(), { recursive: true });
          expect(names.filter((name) => name.endsWith('.tmp'))).to.deep.equal([]);
          for (const name of names.filter((each) => each.endsWith('.json'))) {
            uploadNumber(await readFile(pathOf(name)));
          }
          for (const directory of directories) {
            const stored = await reopened.read(directory);
            const last = acknowledged.get(directory.level) ?? 0;
            if (stored === undefined) {
              expect(last).to.equal(0);
              continue;
            }
            const newest = uploadNumber(stored.bytes);
            expect(newest).to.be.at.least(last);
            const versions = await listedVersions(reopened, directory);
            const [[newestVersion = 0] = []] = versions.map((version) => version.split(':').map(Number.parseFloat));
            // each write was one version, and none between is missing
            const run = versions.slice(0, Math.min(versions.length, newest - first + 1));
            expect(run).to.deep.equal(
              run.map((_, index) => `${newestVersion - index}:${newest - index}${index === 0 ? '*' : ''}`),
            );
            expect(versions.length).to.equal(Math.min(newestVersion, 6));
            await reopened.write(directory, uploadText(900 + first));
            const [after, before] = await listedVersions(reopened, directory);
            expect(after).to.equal(`${newestVersion + 1}:${900 + first}*`);
            expect(before).to.equal(`${newestVersion}:${newest}`);
          }
          await reopened.close();
        }
      });
    }
  });

  describe('a write that was cut off between its two steps', () => {
    let store: FileMacroStore;

    beforeEach(async () => {
      store = new FileMacroStore({ folder: pathOf() });
      await store.open();
    });

    afterEach(() => store.close());

    // what `link` has done and `rename` has not
    async function cutOff(): Promise<void> {
      await store.write(globalDirectory, uploadText(1));
      await store.write(globalDirectory, uploadText(2));
      await link(pathOf('global', 'macros.json'), pathOf('global', 'macros.2.json'));
    }

    it('has made no version', async () => {
      await cutOff();
      expect(await listedVersions(store, globalDirectory)).to.deep.equal(['2:2*', '1:1']);
      await store.write(globalDirectory, uploadText(3));
      expect(await listedVersions(store, globalDirectory)).to.deep.equal(['3:3*', '2:2', '1:1']);
    });

    it('does not keep the file from being removed', async () => {
      await cutOff();
      await store.remove(globalDirectory);
      expect(await store.read(globalDirectory)).to.equal(undefined);
      expect(await listedVersions(store, globalDirectory)).to.deep.equal(['2:2', '1:1']);
    });
  });
});
