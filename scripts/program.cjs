// The built program. Its callers (sallyport.mjs, the tests, the workers of a server) make sure that it is built.
const { isServer, startSignals } = require('./start-signals.cjs');
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { setFlagsFromString } = require('node:v8');
const { builtModules, builtProgram, cacheFolder, compiledModules, loadProgram } = require('./kept-code.cjs');

/** Percentage of the heap in use after a full garbage collection. */
const HEAP_GROWTH_PERCENT = 100;

const words = process.argv.slice(2);
const [first = '', ...further] = words;
if (first === 's3270' && existsSync(builtProgram('s3270'))) require('./run-s3270.cjs').runS3270(further);
else if (isServer() && existsSync(builtProgram('serve'))) runServer();
else runCommand();

async function runServer() {
  const { program, keepCompiled } = loadProgram('serve');
  await program.runProgram(words, startSignals);
  if (process.exitCode !== 0 || isSupervisor()) return;
  keepCompiled?.();
  // V8 rejects its code cache after a change of its flags
  if (process.versions.node.startsWith('20.')) collectGarbageLessOften();
}

/**
 * Lets the heap of Node 20 grow to twice the memory in use before the next full garbage collection. By default, if
 * thousands of sessions create little garbage, V8 collects after a growth of about 15 percent: every five seconds. Each
 * time requests wait for the processor. Later V8 versions do not release the free memory, and would use half as much
 * memory more (docs/develop/measurements/sessions.md). The heap limit (--max-old-space-size) is not affected.
 */
function collectGarbageLessOften() {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/** A supervisor loads less code than a server. */
function isSupervisor() {
  const { workers = {} } = require('node:cluster');
  return Object.keys(workers).length > 0;
}

async function runCommand() {
  // Node 22 and later; without write permission nothing is cached
  const folder = cacheFolder();
  if (folder !== undefined) enableCompileCache?.(folder);
  const { runProgram } = await import(existsSync(builtModules) ? builtModules : compiledModules);
  await runProgram(words, isServer() ? startSignals : undefined);
}
