import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parse } from 'yaml';
import { fixture, projectFolder } from '../support/project.js';

interface Schema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

describe('sallyport.schema.json', () => {
  const schema: Schema = JSON.parse(readFileSync(join(projectFolder, 'sallyport.schema.json'), 'utf8'));

  function* keysOf(part: Schema): Generator<[key: string, schema: Schema]> {
    for (const [key, inner] of Object.entries(part.properties ?? {})) {
      yield [key, inner];
      yield* keysOf(inner);
    }
    if (typeof part.additionalProperties === 'object') yield* keysOf(part.additionalProperties);
    for (const definition of Object.values(part.$defs ?? {})) yield* keysOf(definition);
  }
  const keys = [...keysOf(schema)];

  // as an editor does it: no coercion, no defaults filled in
  const validate = new Ajv2020({ strict: false }).compile(schema as object);
  for (const file of [join(projectFolder, 'sallyport.yaml'), fixture('config', 'contract', 'sallyport.yaml')]) {
    it(`is what ${file.slice(projectFolder.length + 1)} follows`, () => {
      expect(validate(parse(readFileSync(file, 'utf8'))), JSON.stringify(validate.errors)).to.equal(true);
    });
  }

  it('gives every key a title for editors, and every number bounds', () => {
    expect(keys.length).to.be.greaterThan(60);
    for (const [key, part] of keys) {
      expect(part.title ?? part.$ref, key).to.be.a('string');
      if (part.type === 'integer') {
        expect(part.minimum, key).to.be.a('number');
        expect(part.maximum, key).to.be.a('number');
      }
    }
  });

  it('is named by the default configuration, for editors', () => {
    const [first] = readFileSync(join(projectFolder, 'sallyport.yaml'), 'utf8').split('\n');
    expect(first).to.equal('# yaml-language-server: $schema=./sallyport.schema.json');
  });

  it('is the source of the types and of the tables in docs/run/configuration.md', async function () {
    this.timeout(60_000);
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(projectFolder, 'scripts', 'configuration-sources.mjs'),
      '--check',
    ]);
    expect(stdout).to.equal('');
  });

  it('has every key in a table of docs/run/configuration.md', () => {
    const documentation = readFileSync(join(projectFolder, 'docs', 'run', 'configuration.md'), 'utf8');
    const rows = documentation.split('\n').filter((line) => line.startsWith('|'));
    for (const [key] of keys) {
      const named = rows.filter((row) => row.includes(`\`${key}\``) || row.includes(`.${key}\``));
      expect(named, key).not.to.deep.equal([]);
    }
  });
});
