// The program as it is built, for whoever has seen to that: sallyport.mjs, the tests, and the workers of a server.
const { isServer, startSignals } = require('./start-signals.cjs');
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { setFlagsFromString } = require('node:v8');
const { builtModules, builtProgram, cacheFolder, compiledModules, loadProgram } = require('./kept-code.cjs');

/** Of what is in use after a full collection of garbage. */
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
  // V8 would refuse what it has compiled before a change of its flags
  if (process.versions.node.startsWith('20.')) collectGarbageLessOften();
}

/**
 * Lets the heap of Node 20 grow to twice what is in use before V8 collects all garbage again. By itself it does so at a growth of
 * some 15 percent where thousands of sessions leave little behind: every five seconds, and each time requests wait for the
 * processor. Later versions of V8 keep the room that is free again, and would take half as much memory more
 * (docs/develop/measurements/sessions.md). The limit of the heap (--max-old-space-size) holds as before.
 */
function collectGarbageLessOften() {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/** It has loaded less than a server. */
function isSupervisor() {
  const { workers = {} } = require('node:cluster');
  return Object.keys(workers).length > 0;
}

async function runCommand() {
  // Node 22 and later; where the folder cannot be written nothing is kept
  const folder = cacheFolder();
  if (folder !== undefined) enableCompileCache?.(folder);
  const { runProgram } = await import(existsSync(builtModules) ? builtModules : compiledModules);
  await runProgram(words, isServer() ? startSignals : undefined);
}
