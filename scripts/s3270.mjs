#!/usr/bin/env node
// The command `s3270`, for scripts that look for it in PATH: `sallyport s3270`, by whatever link it is reached. Scripts start it often:
// it is taken as it is built, from one file, and what V8 has compiled of that is kept for the next start.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, Module } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const HASH_BYTES = 32;
/** Where it is killed before its end, what was compiled by then is kept. */
const KEPT_AFTER_MILLISECONDS = 1_000;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const runtime = here('../dist/runtime');
const require = createRequire(import.meta.url);
if (existsSync(join(runtime, 's3270.cjs'))) {
  const { runS3270Program } = require(join(runtime, 's3270.cjs'));
  let keep;
  process.exitCode = await runS3270Program(process.argv.slice(2), async () => {
    const { sessions, keepCompiled } = loadSessions();
    keep = keepCompiled;
    return sessions;
  });
  keep?.();
} else {
  process.argv.splice(2, 0, 's3270');
  await import('./sallyport.mjs');
}

function loadSessions() {
  const filename = join(runtime, 's3270-sessions.cjs');
  // esbuild writes ASCII
  const source = readFileSync(filename, 'latin1');
  const cachedData = compiledBefore(source);
  const script = new Script(Module.wrap(source), { filename, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, filename, runtime);
  if (cachedData !== undefined && script.cachedDataRejected === false) return { sessions: module.exports };
  const timer = setTimeout(keepCompiled, KEPT_AFTER_MILLISECONDS).unref();
  return { sessions: module.exports, keepCompiled };

  function keepCompiled() {
    clearTimeout(timer);
    writeCompiled(source, script.createCachedData());
  }
}

/**
 * The system's folder for temporary files may belong to somebody else, who could put code there. Of a checkout the build clears it.
 * @throws where a user has no home
 */
function cacheFolder() {
  return existsSync(here('../src')) ? here('../dist/.compile-cache') : join(homedir(), '.cache', 'sallyport');
}

function cacheFile() {
  return join(cacheFolder(), `s3270-${process.version}-${process.arch}`);
}

/** Nothing where there is none for this program, or where it was not written by this user. */
function compiledBefore(source) {
  let file;
  try {
    file = openSync(cacheFile(), 'r');
    if (process.getuid !== undefined && fstatSync(file).uid !== process.getuid()) return undefined;
    const kept = readFileSync(file);
    const compiled = kept.subarray(HASH_BYTES);
    return hashOf(source, compiled).equals(kept.subarray(0, HASH_BYTES)) ? compiled : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** As a whole or not at all. Where the folder cannot be written nothing is kept. */
function writeCompiled(source, compiled) {
  try {
    const cache = cacheFile();
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    const folder = mkdtempSync(`${cache}-`);
    try {
      const whole = join(folder, 'whole');
      writeFileSync(whole, Buffer.concat([hashOf(source, compiled), compiled]), { mode: 0o600 });
      renameSync(whole, cache);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // it is compiled again at the next start
  }
}

function hashOf(source, compiled) {
  return createHash('sha256').update(source, 'latin1').update(compiled).digest();
}
