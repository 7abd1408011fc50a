// Loads a program that is built as one file of CommonJS, with what V8 has compiled of it at an earlier start.
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
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** Loaded when they are needed: a program that a daemon answers for needs none of them. */
const builtin = process.getBuiltinModule;
const HASH_BYTES = 32;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Emptied by each build. */
export const cacheOfCheckout = here('../dist/.compile-cache');
/**
 * What runs: the bundle, as the seven hundred files, and as many of packages, take a second to load. Without it (the planted
 * faults change single files) what the compiler wrote.
 */
export const builtModules = here('../dist/runtime/main.js');
export const compiledModules = here('../dist/src/main.js');
export const builtProgram = (name) => here(`../dist/runtime/${name}.cjs`);

/**
 * @param name of the program in dist/runtime
 * @returns what the program exports; `keepCompiled`, to be called when all that is needed often has run, where what was kept could not be taken
 */
export function loadProgram(name) {
  const filename = builtProgram(name);
  const file = readFileSync(filename);
  const kept = keptAt(name);
  const cachedData = compiledBefore(kept, file);
  // esbuild writes ASCII, and the function that Node would put it in: to be joined here it would be copied once more
  const script = new Script(file.latin1Slice(), { filename, cachedData });
  const loaded = { program: exportsOf(script, filename) };
  if (kept === undefined || (cachedData !== undefined && script.cachedDataRejected === false)) return loaded;
  return { ...loaded, keepCompiled: () => writeCompiled(kept, file, script.createCachedData()) };
}

/** One that is so small that nothing of it is kept. */
export function loadSmallProgram(name) {
  const filename = builtProgram(name);
  return exportsOf(new Script(readFileSync(filename, 'latin1'), { filename }), filename);
}

function exportsOf(script, filename) {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));
  return module.exports;
}

/**
 * Where compiled code is kept. The system's folder for temporary files, which Node would take, may belong to somebody else, who could
 * put code there. Undefined for a user without a home.
 */
export function cacheFolder() {
  if (existsSync(here('../src'))) return cacheOfCheckout;
  try {
    return join(builtin('node:os').homedir(), '.cache', 'sallyport');
  } catch {
    return undefined;
  }
}

/** V8 takes what was compiled with the same version and flags alone: both are in its tag. */
function keptAt(name) {
  const folder = cacheFolder();
  if (folder === undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const tag = builtin('node:v8').cachedDataVersionTag().toString(16);
  return join(folder, `${name}-${process.version}-${process.arch}-${tag}`);
}

/** Nothing where there is none for this program, or where it was not written by this user. */
function compiledBefore(kept, program) {
  let file;
  try {
    file = openSync(kept, 'r');
    if (process.getuid !== undefined && fstatSync(file).uid !== process.getuid()) return undefined;
    const bytes = readFileSync(file);
    const compiled = bytes.subarray(HASH_BYTES);
    return hashOf(program, compiled).equals(bytes.subarray(0, HASH_BYTES)) ? compiled : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** As a whole or not at all. Where the folder cannot be written nothing is kept. */
function writeCompiled(kept, program, compiled) {
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    const folder = mkdtempSync(`${kept}-`);
    try {
      const whole = join(folder, 'whole');
      writeFileSync(whole, Buffer.concat([hashOf(program, compiled), compiled]), { mode: 0o600 });
      renameSync(whole, kept);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // it is compiled again at the next start
  }
}

function hashOf(program, compiled) {
  return builtin('node:crypto').createHash('sha256').update(program).update(compiled).digest();
}
