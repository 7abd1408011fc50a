// The compiled test files, and those that start no process, no browser and no server: neither they nor their imports can.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { projectFolder } from './build.mjs';

const starting =
  /^(node:(child_process|cluster|worker_threads|net|tls|http|https|http2|dgram)|playwright-core|undici|ws|koa|pg|ldapts)$/;
/** Names of these modules that start nothing. */
const harmless =
  /^(isIP|isIPv4|isIPv6|BlockList|STATUS_CODES|METHODS|createSecureContext|rootCertificates|Filter|FilterParser|errors|isMainThread|threadId|parentPort|workerData)$/;
const dist = join(projectFolder, 'dist');

/** @returns paths of compiled test files, sorted */
export function testFiles() {
  return readdirSync(join(dist, 'test'), { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(dist, 'test', name))
    .sort();
}

/** @returns those of them that start nothing */
export function fastTests() {
  const known = new Map();
  return testFiles().filter((file) => startsNothing(file, known));
}

/** @param known answers for files that were looked at before; files that import each other count once */
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

/** Of a compiled file. An import of everything has a name that is not harmless. */
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
