// Maps test files to the compiled functions that they and their processes reach (NODE_V8_COVERAGE).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder } from './build.mjs';

const mapFile = join(projectFolder, 'dist', 'coverage-map.json');
const codeFolders = ['src', 'machines'];

/** @returns path below dist/, component and text of each compiled file */
export function codeFiles() {
  const dist = join(projectFolder, 'dist');
  return codeFolders.flatMap((folder) =>
    readdirSync(join(dist, folder), { recursive: true })
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map((file) => ({
        file: `${folder}/${file}`,
        room: folder === 'machines' ? 'machines' : file.split('/')[0],
        text: readFileSync(join(dist, folder, file), 'utf8'),
      })),
  );
}

export class CoverageCollection {
  #functions = new Map();
  #tests = {};
  #dist;

  constructor(dist) {
    this.#dist = dist;
  }

  add(test, milliseconds, folder) {
    this.#tests[test] = Math.round(milliseconds);
    for (const name of readdirSync(folder)) {
      let result = [];
      try {
        result = JSON.parse(readFileSync(join(folder, name), 'utf8')).result;
      } catch {
        // a process was killed while writing
      }
      for (const { url, functions } of result) this.#addScript(test, url, functions);
    }
  }

  #addScript(test, url, functions) {
    if (!url.startsWith('file:')) return;
    const path = fileURLToPath(url);
    const file = path.slice(this.#dist.length + 1);
    if (!path.startsWith(`${this.#dist}/`) || !codeFolders.some((folder) => file.startsWith(`${folder}/`))) return;
    const known = this.#functions.get(file) ?? new Map();
    this.#functions.set(file, known);
    for (const { ranges } of functions) {
      const [{ startOffset, endOffset, count }] = ranges;
      const key = `${startOffset}-${endOffset}`;
      const tests = known.get(key) ?? new Set();
      known.set(key, tests);
      if (count > 0) tests.add(test);
    }
  }

  write() {
    const files = Object.fromEntries(
      [...this.#functions].map(([file, functions]) => [
        file,
        {
          hash: hashOf(readFileSync(join(this.#dist, file))),
          functions: [...functions].map(([key, tests]) => [...key.split('-').map(Number), [...tests]]),
        },
      ]),
    );
    writeFileSync(mapFile, JSON.stringify({ tests: this.#tests, files }));
  }
}

export function readCoverageMap() {
  if (!existsSync(mapFile)) return undefined;
  const { tests, files } = JSON.parse(readFileSync(mapFile, 'utf8'));
  const shortestFirst = (found) => [...found].sort((one, other) => tests[one] - tests[other]);
  const nearestFirst = (found, file) => {
    const folder = `${dirname(file).replace(/^src\//, '')}/`;
    const isNear = (test) => Number(test.startsWith(folder));
    return shortestFirst(found).sort((one, other) => isNear(other) - isNear(one));
  };
  return {
    /**
     * Test files that reach the innermost function at an offset of a compiled file, those of the same folder first. If
     * the file has changed since: those of `testsOfFile`.
     */
    testsOf(file, offset) {
      const known = files[file];
      if (known === undefined) return [];
      const isSame = hashOf(readFileSync(join(projectFolder, 'dist', file))) === known.hash;
      if (!isSame) return this.testsOfFile(file);
      const around = known.functions.filter(([start, end]) => start <= offset && offset < end);
      const [innermost] = around.sort(([start, end], [otherStart, otherEnd]) => end - start - (otherEnd - otherStart));
      return nearestFirst(innermost?.[2] ?? [], file);
    },
    millisecondsOf: (test) => tests[test],
    /** Test files that run a function of a compiled file; if it has no functions, those that load it. */
    testsOfFile(file) {
      const functions = files[file]?.functions ?? [];
      const [whole] = functions;
      const inner = functions.slice(1).flatMap(([, , found]) => found);
      return shortestFirst(new Set(functions.length > 1 ? inner : (whole?.[2] ?? [])));
    },
  };
}

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('base64url');
}
