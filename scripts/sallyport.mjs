#!/usr/bin/env node
// The command `sallyport`, and npm start [-- ARGUMENTS]: in a checkout, installs and builds where needed; then runs in
// this very process, so that signals reach it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandScript, ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';

const installedForUseOnly =
  existsSync(commandScript()) &&
  existsSync(join(projectFolder, 'node_modules', 'koa')) &&
  !existsSync(join(projectFolder, 'node_modules', 'typescript'));
if (!installedForUseOnly) ensureInstalled();
ensureBuilt();
await import(pathToFileURL(commandScript()).href);
