// Bundles the program with its packages into dist/runtime. The build passes the modules of the pages on stdin.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from './build.mjs';

/** Entry files of the program, the library and the threads, by output name. */
const moduleScripts = {
  main: './dist/src/main.js',
  tn3270: './dist/src/tn3270/api.js',
  'simulated-host': './dist/src/demo/simulated-host/api.js',
  'key-worker': './dist/src/crypto/key-worker.js',
  'work-thread': './dist/src/lib/turns/work-thread.js',
  'macro-check-worker': './dist/src/macros/macro-check-worker.js',
  'service-plan-worker': './dist/src/server/parts/service-plan-worker.js',
  'service-texts-worker': './dist/src/server/parts/service-texts-worker.js',
  'security-file-worker': './dist/src/access/users/users-file-worker.js',
};
/** Programs that start from one file each (scripts/kept-code.cjs): the server, and the two files of `s3270`. */
const serverScripts = { serve: './dist/src/main.js' };
const s3270Scripts = {
  s3270: './dist/src/s3270/program/s3270-program.js',
  's3270-sessions': './dist/src/s3270/program/s3270-sessions.js',
};
/** Optional native modules of ws and pg. */
const optionalPackages = ['bufferutil', 'pg-native', 'utf-8-validate'];
/**
 * undici's index also loads its fetch, caches and mocks, and Node's own copy of undici: a tenth of the server's start
 * time. Importing anything else from undici fails the build.
 */
const undiciParts = `
  export { default as Client } from './lib/dispatcher/client.js';
  export { default as buildConnector } from './lib/core/connect.js';
  export { default as errors } from './lib/core/errors.js';`;
const brotliOfNode = `
  module.exports = (packed, length) => require('node:zlib').brotliDecompressSync(packed, { maxOutputLength: length });`;
const inflateOfNode = `
  module.exports = (packed, room) => {
    const bytes = require('node:zlib').inflateRawSync(packed, { maxOutputLength: room.length });
    room.set(bytes);
    return bytes.length < room.length ? room.slice(0, bytes.length) : room;
  };`;

/** Modules of `s3270` that are loaded on first use: each takes milliseconds, and `s3270` is started often. */
const lateModules = [
  'node:child_process',
  'node:crypto',
  'node:dns/promises',
  'node:fs/promises',
  'node:http',
  'node:os',
  'node:stream/promises',
  'node:timers/promises',
  'node:tls',
];

/** Sections of locales/*.json that only scripts of pages use. */
const pageSections = ['form', 'embedding', 'terminal', 'dialogs', 'console', 'upload'];
/** Sections that `s3270` does not use, either. It is started often. */
const serverSections = ['portal', 'pages', 'statuses', 'notices'];

const localesWithout = (...sections) => ({
  name: 'locales',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]locales[\\/]\w+\.json$/ }, ({ path }) => {
      const all = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
      const used = Object.fromEntries(all.filter(([name]) => !sections.includes(name)));
      return { contents: JSON.stringify(used), loader: 'json' };
    }),
});
const localesOfServer = localesWithout(...pageSections);
const localesOfS3270 = localesWithout(...pageSections, ...serverSections);

const licenceNote = `Packages that are part of Sallyport, and their licences. Where one offers a choice, it is used under the first of them.
`;

const runtime = join(projectFolder, 'dist', 'runtime');
rmSync(runtime, { recursive: true, force: true });
const common = {
  absWorkingDir: projectFolder,
  outdir: runtime,
  bundle: true,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  // its source maps would be three times as large as the program
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
  external: optionalPackages,
  plugins: [
    {
      name: 'parts of undici',
      setup: ({ onLoad }) =>
        onLoad({ filter: /[\\/]node_modules[\\/]undici[\\/]index\.js$/ }, ({ path }) => ({
          contents: undiciParts,
          resolveDir: dirname(path),
        })),
    },
    {
      // fontkit decompresses its tables and fonts; Node's zlib is faster and needs no dictionary of a megabyte
      name: 'zlib of Node',
      setup: ({ onLoad }) => {
        onLoad({ filter: /[\\/]node_modules[\\/]brotli[\\/]decompress\.js$/ }, () => ({ contents: brotliOfNode }));
        onLoad({ filter: /[\\/]node_modules[\\/]tiny-inflate[\\/]index\.js$/ }, () => ({ contents: inflateOfNode }));
      },
    },
    {
      // pdfkit looks for this file beside its package at run time, but the package is not installed
      name: 'fonts of pdfkit',
      setup: ({ onLoad }) =>
        onLoad({ filter: /[\\/]node_modules[\\/]pdfkit[\\/]js[\\/]pdfkit\.node\.mjs$/ }, ({ path }) => ({
          contents: withBundledFonts(readFileSync(path, 'utf8')),
          resolveDir: dirname(path),
        })),
    },
  ],
};
const modules = await build({
  ...common,
  plugins: [localesOfServer, ...common.plugins],
  entryPoints: moduleScripts,
  splitting: true,
  format: 'esm',
  // bundled CommonJS packages load Node modules with `require`
  banner: {
    js: "import { createRequire as requireBeside } from 'node:module';\nconst require = requireBeside(import.meta.url);",
  },
}).catch(() => process.exit(1));
const programOptions = {
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // CommonJS has no import.meta
  define: { 'import.meta.url': 'urlOfThisFile' },
  banner: {
    js: "(function (exports, require, module, __filename, __dirname) { const urlOfThisFile = require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
};
const [server, s3270] = await Promise.all([
  build({ ...programOptions, entryPoints: serverScripts, plugins: [localesOfServer, ...common.plugins] }),
  build({ ...programOptions, entryPoints: s3270Scripts, plugins: [localesOfS3270, ...common.plugins] }),
]).catch(() => process.exit(1));
for (const name of ['s3270', 's3270-sessions']) loadModulesLate(join(runtime, `${name}.cjs`));
const metafiles = [modules.metafile, server.metafile, s3270.metafile];

refuseOtherExternals();
const places = [
  ...new Set([...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), ...modulesOfPages()].flatMap(packageOf)),
].sort();
const packages = places.map((place) => ({ place, description: describedAt(place) }));
const versions = Object.fromEntries(packages.map(({ place, description }) => [place, description.version]));
writeFileSync(join(runtime, 'packages.json'), `${JSON.stringify(versions, undefined, 2)}\n`);
const unlicensed = packages.filter(
  ({ place, description }) => typeof description.license !== 'string' && licenceTexts(place).length === 0,
);
if (unlicensed.length > 0) refuse(`Packages without a licence: ${unlicensed.map(({ place }) => place).join(', ')}`);
writeFileSync(join(runtime, 'LICENSES.txt'), [licenceNote, ...packages.map(licenceOf)].join(`\n${'-'.repeat(80)}\n\n`));

function loadModulesLate(file) {
  const line = new RegExp(`^var (import_\\w+) = require\\("(${lateModules.join('|')})"\\);$`, 'gm');
  const source = readFileSync(file, 'utf8');
  const modules = new Map(Array.from(source.matchAll(line), ([, name, module]) => [name, module]));
  if (modules.size === 0) refuse(`esbuild writes another line for modules of Node now: ${file}`);
  const names = new RegExp(`\\b(?:${[...modules.keys()].join('|')})\\b`, 'g');
  const late = source
    .replace(line, '')
    .replace(names, (name) => `(${name} ??= require("${modules.get(name)}"))`)
    .replace(/\n/, `\nvar ${[...modules.keys()].join(', ')};\n`);
  writeFileSync(file, late);
}

function withBundledFonts(source) {
  const bundled = source.replace(/require\$1\('#standard-fonts\/(\w+)'\)/g, "require('./standard-fonts/$1.cjs')");
  if (bundled === source || bundled.includes("'#standard-fonts")) refuse('pdfkit loads its fonts in another way now');
  return bundled;
}

/** A package left out of the bundle would be missing in an installed program. */
function refuseOtherExternals() {
  const outputs = metafiles.flatMap(({ outputs }) => Object.values(outputs));
  const imported = outputs.flatMap(({ imports }) => imports.filter(({ external }) => external));
  const known = new Set([...builtinModules, ...optionalPackages]);
  const unknown = imported.map(({ path }) => path).filter((path) => !path.startsWith('node:') && !known.has(path));
  if (unknown.length === 0) return;
  refuse(`Not bundled, and not listed as optional in bundle-program.mjs: ${unknown.join(', ')}`);
}

function refuse(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

function modulesOfPages() {
  return JSON.parse(readFileSync(0, 'utf8'));
}

/** Folder of the package that a module belongs to, as written in package-lock.json; none for own modules. */
function packageOf(module) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.slice(0, 1) ?? [];
}

function describedAt(place) {
  return JSON.parse(readFileSync(join(projectFolder, place, 'package.json'), 'utf8'));
}

function licenceTexts(place) {
  return filesOf(place, /^(?:licen[cs]e|copying|notice)/i).map((text) => text.trim());
}

function licenceOf({ place, description: { name, version, license, author, homepage } }) {
  const texts = licenceTexts(place);
  if (texts.length === 0)
    texts.push(...filesOf(place, /^readme/i).flatMap((text) => /^#+ *licen[cs]e\s.*/ims.exec(text) ?? []));
  const by = author?.name ?? author ?? homepage;
  return `${[`${name} ${version}, ${license ?? 'as below'}${by === undefined ? '' : `, by ${by}`}`, ...texts].join('\n\n')}\n`;
}

function filesOf(place, pattern) {
  const folder = join(projectFolder, place);
  const files = readdirSync(folder).filter((file) => pattern.test(file));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}
