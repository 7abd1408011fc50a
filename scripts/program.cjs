// The program as it is built, for whoever has seen to that: sallyport.mjs, the tests, and the workers of a server.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { builtModules, builtProgram, cacheFolder, compiledModules, loadProgram } = require('./kept-code.cjs');

const words = process.argv.slice(2);
const [first = '', ...further] = words;
if (first === 's3270' && existsSync(builtProgram('s3270'))) require('./run-s3270.cjs').runS3270(further);
else if (isServer() && existsSync(builtProgram('serve'))) runServer();
else runCommand();

/** Without a command it serves. */
function isServer() {
  return (
    first === 'serve' || first === '' || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first))
  );
}

async function runServer() {
  const { program, keepCompiled } = loadProgram('serve');
  await program.runProgram(words);
  if (process.exitCode === 0 && !isSupervisor()) keepCompiled?.();
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
  await runProgram(words);
}
