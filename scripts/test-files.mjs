// Lists the compiled test files, and the fast ones: they start no process, browser or server, neither directly nor by an import.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { projectFolder } from './build.mjs';

const starting =
  /^(node:(child_process|cluster|worker_threads|net|tls|http|https|http2|dgram)|playwright-core|undici|ws|koa|pg|ldapts)$/;
/** Harmless exports of modules that can start something. */
const harmless =
  /^(isIP|isIPv4|isIPv6|BlockList|STATUS_CODES|METHODS|createSecureContext|rootCertificates|Filter|FilterParser|errors|isMainThread|threadId|parentPort|workerData)$/;
const dist = join(projectFolder, 'dist');

export function testFiles() {
  return readdirSync(join(dist, 'test'), { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(dist, 'test', name))
    .sort();
}

/** A file that takes longer is not fast, even if it starts nothing. */
const LONGEST_FAST_MILLISECONDS = 3_500;

/** @param durations milliseconds by path of the file */
export function fastTests(durations) {
  const known = new Map();
  return testFiles().filter(
    (file) =>
      (durations[relative(projectFolder, file)] ?? 0) <= LONGEST_FAST_MILLISECONDS && startsNothing(file, known),
  );
}

/** @param known results of earlier files, which also ends import cycles */
function startsNothing(file, known) {
  if (!known.has(file)) {
    known.set(file, true);
    known.set(
      file,
      importsOf(file).every(({ specifier, names }) => {
        if (!specifier.startsWith('.')) return !starting.test(specifier) || names.every((name) => harmless.test(name));
        const target = resolve(dirname(file), specifier);
        return !existsSync(target) || startsNothing(target, known);
      }),
    );
  }
  return known.get(file);
}

/** Imports of a compiled file. A namespace import never counts as harmless. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const static_ = [...text.matchAll(/^import (?:([^'";]+?) from )?'([^']+)'/gm)].map(([, clause = '*', specifier]) => ({
    specifier,
    names: namesIn(clause),
  }));
  const dynamic = [...text.matchAll(/\bimport\('([^']+)'\)|new URL\('(\.[^']+\.js)'/g)].map(([, one, other]) => ({
    specifier: one ?? other,
    names: ['*'],
  }));
  return [...static_, ...dynamic];
}

function namesIn(clause) {
  const braces = /^\{([\s\S]*)\}$/.exec(clause.trim());
  if (braces === null) return [clause];
  return braces[1]
    .split(',')
    .map((name) => name.trim().split(' as ')[0])
    .filter(Boolean);
}
