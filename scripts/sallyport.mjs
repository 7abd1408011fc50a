#!/usr/bin/env node
// The command `sallyport`, and npm start [-- ARGUMENTS]. In a checkout it installs and builds if needed. Then it runs
// the program in this process, so that signals reach it.
import './start-signals.cjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { builtModules } from './kept-code.cjs';

const installedForUseOnly =
  existsSync(builtModules) &&
  existsSync(join(projectFolder, 'node_modules', 'koa')) &&
  !existsSync(join(projectFolder, 'node_modules', 'typescript'));
if (!installedForUseOnly) ensureInstalled();
ensureBuilt();
await import('./program.cjs');
