import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parse } from 'yaml';
import { projectFolder } from '../support/project.js';

interface Schema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

const read = (...names: string[]) => readFileSync(join(projectFolder, ...names), 'utf8');

describe('schemas of services', () => {
  const shipped = readdirSync(join(projectFolder, 'templates', 'services'));
  const schemas: Readonly<Record<string, Schema>> = {
    'screens.schema.json': JSON.parse(read('screens.schema.json')),
    'service.schema.json': JSON.parse(read('service.schema.json')),
  };
  const filesOf: Readonly<Record<string, readonly string[]>> = {
    'screens.schema.json': ['screens.yaml'],
    'service.schema.json': shipped.filter((name) => name !== 'screens.yaml'),
  };
  const ajv = new Ajv2020({ strict: false, schemas: Object.values(schemas).map((schema) => schema as object) });

  function* keysOf(part: Schema): Generator<[key: string, schema: Schema]> {
    for (const [key, inner] of Object.entries(part.properties ?? {})) {
      yield [key, inner];
      yield* keysOf(inner);
    }
    if (typeof part.additionalProperties === 'object') yield* keysOf(part.additionalProperties);
    if (part.items !== undefined) yield* keysOf(part.items);
    for (const definition of Object.values(part.$defs ?? {})) yield* keysOf(definition);
  }

  for (const [name, schema] of Object.entries(schemas)) {
    describe(name, () => {
      const keys = [...keysOf(schema)];

      it('is what the shipped files follow, as editors check it, and what they name at their top', () => {
        const validate = ajv.getSchema(`https://sallyport.example/${name}`);
        for (const file of filesOf[name] ?? []) {
          const source = read('templates', 'services', file);
          expect(validate?.(parse(source)), `${file}: ${JSON.stringify(validate?.errors)}`).to.equal(true);
          expect(source.split('\n')[0]).to.equal(`# yaml-language-server: $schema=../../${name}`);
        }
      });

      it('gives every key a title for editors, and every number bounds', () => {
        expect(keys.length).to.be.greaterThan(15);
        for (const [key, part] of keys) {
          expect(part.title ?? part.$ref, key).to.be.a('string');
          if (part.type !== 'integer' && part.type !== 'number') continue;
          expect(part.minimum, key).to.be.a('number');
          expect(part.maximum, key).to.be.a('number');
        }
      });

      it('has every key, default and bound in docs/write/services.md', () => {
        const lines = read('docs', 'write', 'services.md').split('\n');
        for (const [key, { default: byDefault, minimum, maximum }] of keys) {
          const rows = lines.filter((line) => line.startsWith(`| \`${key}\` |`));
          expect(rows, key).not.to.deep.equal([]);
          const said = rows.join('\n').replaceAll(',', '');
          if (typeof byDefault !== 'object' && byDefault !== undefined) expect(said, key).to.contain(String(byDefault));
          for (const bound of [minimum, maximum])
            if (bound !== undefined) expect(said, `bound of ${key}`).to.contain(String(bound));
        }
      });

      it('is in the package', () => {
        expect(JSON.parse(read('package.json')).files).to.include(name);
      });
    });
  }
});
