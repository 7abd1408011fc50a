// Installs and compiles if needed; prints nothing if everything is up to date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtModules, cacheOfCheckout, compiledModules } from './kept-code.cjs';

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const inProject = (...names) => join(projectFolder, ...names);

const compiler = inProject('node_modules', 'typescript', 'bin', 'tsc');
/** The default of tsc. */
const MOST_CHECKERS = 4;
const buildStamp = inProject('dist', '.build-stamp');
const compilerNotes = inProject('dist', '.compiler');
const outputCount = join(compilerNotes, 'outputs');
const lockFile = inProject('package-lock.json');
const lockStamp = inProject('node_modules', '.sallyport-lock-stamp');
const sourceFolders = ['src', 'machines', 'client', 'locales', 'test', 'bench'];
const clientScripts = {
  terminal: './client/terminal/main.ts',
  macros: './client/terminal/macros/macro-tools.ts',
  settings: './client/terminal/settings/settings-drawer.ts',
  screens: './client/terminal/screens/screen-dialogs.ts',
  'words-en': './client/terminal/words/english-dialogs.ts',
  text: './client/terminal/text/text-controls.ts',
  commands: './client/terminal/commands/command-dialogs.ts',
  'words-de': './client/terminal/words/german.ts',
  'words-fr': './client/terminal/words/french.ts',
  svccrypt: './client/form/encrypted-form.ts',
  portal: './client/portal/main.ts',
  console: './client/console/main.ts',
  watch: './client/watch/main.ts',
  home: './client/home/main.ts',
  sessions: './client/sessions/main.ts',
};
const sourceFiles = [
  'scripts/bundle-program.mjs',
  'tsconfig.json',
  'package-lock.json',
  'sallyport.schema.json',
  'screens.schema.json',
  'service.schema.json',
];
const clientStyles = { terminal: './client/terminal/style/page.css' };
/** Scripts that run before the first paint of a page. */
const earlyScripts = {
  'own-colours': './client/terminal/early/own-colours.ts',
  'early-keys': './client/terminal/early/early-keys.ts',
};
const embeddedScripts = { 'sallyport-terminal': './client/embedding/sallyport-terminal.ts' };

/** True in an installed package, which contains compiled code and its packages. */
export const isPackage = () => !existsSync(inProject('src'));

/** Installs the packages of package-lock.json if node_modules is missing or outdated. Exits the process on failure. */
export function ensureInstalled() {
  if (isPackage() || !existsSync(lockFile) || isInstalled()) return;
  process.stderr.write('Installing dependencies (npm ci) ...\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, error } = spawnSync(
    npm,
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--progress=false'],
    {
      cwd: projectFolder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) {
    process.stderr.write(`npm ci failed${error ? `: ${error.message}` : ''}. What it said stands above.\n`);
    process.exit(status ?? 1);
  }
  writeFileSync(lockStamp, lockHash());
}

function isInstalled() {
  const installedLock = inProject('node_modules', '.package-lock.json');
  if (!existsSync(installedLock) || !existsSync(compiler)) return false;
  // a new checkout may change the time of the lock file without changing its content
  if (existsSync(lockStamp) && readFileSync(lockStamp, 'utf8') === lockHash()) return true;
  return statSync(installedLock).mtimeMs >= statSync(lockFile).mtimeMs;
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

/** Compiles into dist if a source changed since the last successful compilation. Exits the process on failure. */
export function ensureBuilt() {
  if (isPackage()) return;
  if (!existsSync(compiler) && existsSync(builtModules)) return; // installed without development dependencies
  const state = sourceState();
  if (
    existsSync(buildStamp) &&
    readFileSync(buildStamp, 'utf8') === state &&
    existsSync(compiledModules) &&
    existsSync(builtModules) &&
    bundlesExist()
  )
    return;
  rmSync(buildStamp, { force: true });
  rmSync(cacheOfCheckout, { recursive: true, force: true });
  // the incremental compiler does not check that its output still exists
  if (!existsSync(outputCount) || readFileSync(outputCount, 'utf8') !== String(countOutputs()))
    rmSync(compilerNotes, { recursive: true, force: true });
  // scripts of pages are checked with the types of a browser
  const projects = { program: 'tsconfig.json', pages: 'client/tsconfig.json' };
  const failed = Object.entries(projects).some(([name, project]) => {
    // each checker repeats the work on shared files: on two cores, four would take a third longer
    const checkers = String(Math.min(availableParallelism(), MOST_CHECKERS));
    const notes = ['--incremental', '--tsBuildInfoFile', join(compilerNotes, `${name}.tsbuildinfo`)];
    const options = ['-p', inProject(...project.split('/')), '--checkers', checkers, ...notes];
    const { status } = spawnSync(process.execPath, [compiler, ...options], { cwd: projectFolder, stdio: 'inherit' });
    return status !== 0;
  });
  if (failed) {
    process.stderr.write('The build failed. What the compiler said stands above.\n');
    process.exit(1);
  }
  removeStaleOutputs();
  writeSchemaValidators();
  const modulesOfPages = bundleClient();
  bundleStyles();
  bundleEmbedded();
  bundleProgram(modulesOfPages);
  writeLibraryTypes();
  mkdirSync(compilerNotes, { recursive: true });
  writeFileSync(outputCount, String(countOutputs()));
  writeFileSync(buildStamp, state);
}

function bundlesExist() {
  return [
    ...Object.keys({ ...clientScripts, ...embeddedScripts, ...earlyScripts }).map((name) => `${name}.js`),
    ...Object.keys(clientStyles).map((name) => `${name}.css`),
  ].every((file) => existsSync(inProject('public', file)));
}

/** Bundles each page script into one file that is served unchanged. @returns the modules they contain */
function bundleClient() {
  const { metafile } = bundle('The scripts of the pages', {
    entryPoints: clientScripts,
    outdir: inProject('public'),
    minify: true,
    metafile: true,
    target: 'es2022',
    // forge checks for all of these to defer work; the first is sufficient, and the code for the others is left out
    define: {
      setImmediate: 'queueMicrotask',
      process: 'undefined',
      'window.postMessage': 'undefined',
      MutationObserver: 'undefined',
    },
    banner: {
      js: '/*! Sallyport, with node-forge (c) Digital Bazaar, Inc., BSD-3-Clause */',
    },
  });
  return Object.keys(metafile.inputs);
}

function bundleStyles() {
  bundle('The style sheets of the pages', {
    entryPoints: clientStyles,
    outdir: inProject('public'),
    minify: true,
    external: ['*.woff2'],
  });
}

function writeSchemaValidators() {
  runScript('schema-validators.mjs', 'The published schemas could not be compiled. What Ajv said stands above.');
}

function bundleProgram(modulesOfPages) {
  const input = JSON.stringify(modulesOfPages);
  runScript('bundle-program.mjs', 'The program could not be bundled. What esbuild said stands above.', input);
}

/** The public types of the library are all in these two files, without imports of internal files. */
function writeLibraryTypes() {
  const folder = inProject('dist', '.types');
  const faces = { tn3270: 'src/tn3270/api', 'simulated-host': 'src/demo/simulated-host/api' };
  const emit = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    folder,
    '--rootDir',
    projectFolder,
  ];
  // their imports are not used in the declarations
  const alone = ['--noResolve', '--noCheck'];
  const rules = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', 'nodenext'];
  const files = Object.values(faces).map((face) => inProject(`${face}.ts`));
  const options = [...emit, ...alone, ...rules, '--types', 'node', '--skipLibCheck', ...files];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { cwd: projectFolder, stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(
      'The declarations of the library could not be written. What the compiler said stands above.\n',
    );
    process.exit(1);
  }
  for (const [name, face] of Object.entries(faces))
    copyFileSync(join(folder, `${face}.d.ts`), inProject('dist', 'runtime', `${name}.d.ts`));
  rmSync(folder, { recursive: true });
}

function runScript(name, failure, input = '') {
  const stdio = ['pipe', 'inherit', 'inherit'];
  const { status } = spawnSync(process.execPath, [inProject('scripts', name)], { input, stdio });
  if (status === 0) return;
  process.stderr.write(`${failure}\n`);
  process.exit(1);
}

/** Without imports and exports, for plain script elements: in pages of other servers, and before the first paint. */
function bundleEmbedded() {
  bundle('The script for other pages', {
    entryPoints: { ...embeddedScripts, ...earlyScripts },
    outdir: inProject('public'),
    minify: true,
    target: 'es2022',
    format: 'iife',
  });
}

function bundle(what, options) {
  const { buildSync } = createRequire(import.meta.url)('esbuild');
  try {
    return buildSync({ absWorkingDir: projectFolder, bundle: true, format: 'esm', logLevel: 'warning', ...options });
  } catch {
    process.stderr.write(`${what} could not be bundled. What esbuild said stands above.\n`);
    process.exit(1);
  }
}

function sourceState() {
  const hash = createHash('sha256');
  const files = [
    ...sourceFolders.flatMap((folder) => filesBelow(inProject(folder))),
    ...sourceFiles.map((file) => inProject(file)),
  ];
  for (const file of files) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${relative(projectFolder, file)} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name === 'fixtures' || entry.name === 'node_modules' ? [] : filesBelow(path);
      return /\.(?:ts|css|json)$/.test(entry.name) ? [path] : [];
    });
}

function countOutputs() {
  const folders = sourceFolders.map((folder) => inProject('dist', folder)).filter((folder) => existsSync(folder));
  return folders.reduce((sum, folder) => sum + readdirSync(folder, { recursive: true }).length, 0);
}

/** Compiled tests without a source must not run. */
function removeStaleOutputs() {
  for (const folder of sourceFolders) removeStaleBelow(inProject('dist', folder), inProject(folder));
}

function removeStaleBelow(outputs, sources) {
  if (!existsSync(outputs)) return;
  for (const entry of readdirSync(outputs, { withFileTypes: true })) {
    const output = join(outputs, entry.name);
    const source = join(sources, entry.name.replace(/\.js(\.map)?$/, '.ts'));
    if (!existsSync(source)) rmSync(output, { recursive: true });
    else if (entry.isDirectory()) removeStaleBelow(output, source);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
}
