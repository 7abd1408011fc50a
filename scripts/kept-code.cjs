// Loads a program that is built as one file of CommonJS, with what V8 has compiled of it at an earlier start.
// CommonJS itself: Node's loader of modules takes ten of the forty milliseconds that its start takes.
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
 * What runs: the bundle, as the seven hundred files, and as many of packages, take a second to load. Without it (the planted
 * faults change single files) what the compiler wrote.
 */
const builtModules = here('../dist/runtime/main.js');
const compiledModules = here('../dist/src/main.js');
const builtProgram = (name) => here(`../dist/runtime/${name}.cjs`);

/**
 * @param name of the program in dist/runtime
 * @returns what the program exports; `keepCompiled`, to be called when all that is needed often has run, where what was kept could not be taken
 */
function loadProgram(name) {
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
 * Where compiled code is kept. The system's folder for temporary files, which Node would take, may belong to somebody else, who could
 * put code there. Undefined for a user without a home.
 */
function cacheFolder() {
  if (existsSync(here('../src'))) return cacheOfCheckout;
  try {
    return join(require('node:os').homedir(), '.cache', 'sallyport');
  } catch {
    return undefined;
  }
}

/** V8 refuses what was compiled with other flags: it is then compiled and kept anew. */
function keptAt(name) {
  const folder = cacheFolder();
  if (folder === undefined || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  return join(folder, `${name}-${process.version}-${process.arch}`);
}

/** Nothing where there is none for this program, or where it was not written by this user. */
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

/** As a whole or not at all. Where the folder cannot be written nothing is kept. */
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
    // it is compiled again at the next start
  }
}

/**
 * V8 itself looks at the length of the program alone, and takes what the disk has changed. Who may write here is no stranger, so that
 * no more is needed; a hash of node:crypto would take longer to load than to make.
 */
function checksumOf(program, compiled) {
  // loaded when it is needed: where a daemon answers, it is not
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
