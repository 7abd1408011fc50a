#!/usr/bin/env node
// The command `sallyport`, and npm start [-- ARGUMENTS]: in a checkout, installs and builds where needed; then runs in
// this very process, so that signals reach it.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandScript, compileCache, ensureBuilt, ensureInstalled, isPackage, projectFolder } from './build.mjs';

const installedForUseOnly =
  existsSync(commandScript()) &&
  existsSync(join(projectFolder, 'node_modules', 'koa')) &&
  !existsSync(join(projectFolder, 'node_modules', 'typescript'));
if (!installedForUseOnly) ensureInstalled();
ensureBuilt();
// Node 22 and later; where the folder cannot be written nothing is kept. The system's folder for temporary files, which Node would
// take, may belong to somebody else, who could put code there.
const keptAt = isPackage() ? cacheOfUser() : compileCache;
if (keptAt !== undefined) module.enableCompileCache?.(keptAt);
await import(pathToFileURL(commandScript()).href);

/** Undefined for a user without a home. */
function cacheOfUser() {
  try {
    return join(homedir(), '.cache', 'sallyport');
  } catch {
    return undefined;
  }
}
