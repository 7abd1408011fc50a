// The program as it is built, for whoever has seen to that: sallyport.mjs, the tests, and the workers of a server.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { builtModules, builtProgram, cacheFolder, compiledModules, loadProgram } from './kept-code.mjs';

const words = process.argv.slice(2);
const [first = '', ...further] = words;
if (first === 's3270' && existsSync(builtProgram('s3270'))) {
  const { runS3270 } = await import('./run-s3270.mjs');
  await runS3270(further);
} else if (isServer() && existsSync(builtProgram('serve'))) {
  const { program, keepCompiled } = loadProgram('serve');
  await program.runProgram(words);
  if (process.exitCode === 0 && !isSupervisor()) keepCompiled?.();
} else {
  // Node 22 and later; where the folder cannot be written nothing is kept
  const folder = cacheFolder();
  if (folder !== undefined) module.enableCompileCache?.(folder);
  const { runProgram } = await import(existsSync(builtModules) ? builtModules : compiledModules);
  await runProgram(words);
}

/** Without a command it serves. */
function isServer() {
  return (
    first === 'serve' || first === '' || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first))
  );
}

/** It has loaded less than a server. */
function isSupervisor() {
  const { workers = {} } = process.getBuiltinModule('node:cluster');
  return Object.keys(workers).length > 0;
}
