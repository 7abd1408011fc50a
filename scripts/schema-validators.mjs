// Run by the build. Compiling the published schemas at each start took a third of a second.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { projectFolder } from './build.mjs';

const require = createRequire(import.meta.url);
const { default: standaloneCode } = require('ajv/dist/standalone');
const { buildSync } = require('esbuild');

const names = ['configuration', 'screens', 'service'];
const schemas = ['sallyport', 'screens', 'service'].map((name) =>
  JSON.parse(readFileSync(join(projectFolder, `${name}.schema.json`), 'utf8')),
);
const ajv = new Ajv2020({
  schemas,
  // needed for the error messages
  allErrors: true,
  verbose: true,
  useDefaults: true,
  allowUnionTypes: true,
  code: { source: true, esm: true },
});
const exported = Object.fromEntries(names.map((name, at) => [name, schemas[at].$id]));
buildSync({
  // the generated code loads parts of Ajv with `require`
  stdin: { contents: standaloneCode(ajv, exported), resolveDir: projectFolder },
  outfile: join(projectFolder, 'dist', 'src', 'config', 'schema-validators.js'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
