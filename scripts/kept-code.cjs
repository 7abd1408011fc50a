// Loads a program that is built as one CommonJS file, with the V8 code cache of an earlier start.
// This file is CommonJS too: Node's ES module loader takes 10 of the 40 ms of a start.
const {
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
} = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const CHECKSUM_BYTES = 4;
const here = (path) => join(__dirname, path);

/** Emptied by each build. */
const cacheOfCheckout = here('../dist/.compile-cache');
/**
 * The bundle: loading 700 single files, and as many of packages, takes a second. If it does not exist (planted faults
 * change single files), the compiler output runs.
 */
const builtModules = here('../dist/runtime/main.js');
const compiledModules = here('../dist/src/main.js');
const builtProgram = (name) => here(`../dist/runtime/${name}.cjs`);

/**
 * @param name of the program in dist/runtime
 * @returns exports; without a usable code cache also `keepCompiled`, to be called after the common code has run
 */
function loadProgram(name) {
  const filename = builtProgram(name);
  const file = readFileSync(filename);
  const kept = keptAt(name);
  const cachedData = compiledBefore(kept, file);
  // esbuild writes ASCII, already inside a module function: joining strings here would copy the program
  const script = new Script(file.latin1Slice(), { filename, cachedData });
  const loaded = { program: exportsOf(script, filename) };
  if (kept === undefined || (cachedData !== undefined && script.cachedDataRejected === false)) return loaded;
  return { ...loaded, keepCompiled: () => writeCompiled(kept, file, script.createCachedData()) };
}

/** A program too small for a code cache. */
function loadSmallProgram(name) {
  const filename = builtProgram(name);
  return exportsOf(new Script(readFileSync(filename, 'latin1'), { filename }), filename);
}

function exportsOf(script, filename) {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));
  return module.exports;
}

/**
 * Folder of the code cache. Node's default, the temporary folder, may belong to another user, who could plant code.
 * Undefined for users without a home folder.
 */
function cacheFolder() {
  if (existsSync(here('../src'))) return cacheOfCheckout;
  try {
    return join(require('node:os').homedir(), '.cache', 'sallyport');
  } catch {
    return undefined;
  }
}

/** V8 rejects code compiled with other flags. It is then compiled and cached again. */
function keptAt(name) {
  const folder = cacheFolder();
  if (folder === undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  return join(folder, `${name}-${process.version}-${process.arch}`);
}

/** Undefined if there is no cache for this program, or if another user wrote it. */
function compiledBefore(kept, program) {
  let file;
  try {
    file = openSync(kept, 'r');
    if (process.getuid !== undefined && fstatSync(file).uid !== process.getuid()) return undefined;
    const bytes = readFileSync(file);
    const compiled = bytes.subarray(CHECKSUM_BYTES);
    return checksumOf(program, compiled).equals(bytes.subarray(0, CHECKSUM_BYTES)) ? compiled : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Writes atomically. Without write permission, nothing is cached. */
function writeCompiled(kept, program, compiled) {
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    const folder = mkdtempSync(`${kept}-`);
    try {
      const whole = join(folder, 'whole');
      writeFileSync(whole, Buffer.concat([checksumOf(program, compiled), compiled]), { mode: 0o600 });
      renameSync(whole, kept);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // it will be compiled again at the next start
  }
}

/**
 * V8 checks only the length of the source, and would accept a cache damaged on disk. A checksum is enough, because only
 * trusted users may write here; loading node:crypto for a hash would take longer than compiling.
 */
function checksumOf(program, compiled) {
  // loaded on demand: not needed if a daemon answers
  const { crc32 } = require('node:zlib');
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(compiled, crc32(program)));
  return checksum;
}

module.exports = {
  builtModules,
  builtProgram,
  cacheFolder,
  cacheOfCheckout,
  compiledModules,
  loadProgram,
  loadSmallProgram,
};
