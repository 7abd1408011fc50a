// npm run configuration-sources [-- --check]: generates from sallyport.schema.json the types of the configuration file and the tables of docs/run/configuration.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { projectFolder } from './build.mjs';

const schema = JSON.parse(readFileSync(join(projectFolder, 'sallyport.schema.json'), 'utf8'));

/** Each generated file with its contents. */
export async function configurationSources() {
  const page = join(projectFolder, 'docs', 'run', 'configuration.md');
  return new Map([
    [join(projectFolder, 'src', 'config', 'configuration-schema.d.ts'), await typesOf(schema)],
    [page, withTables(readFileSync(page, 'utf8'))],
  ]);
}

/** Keys with a default are not optional: the types describe the file after the defaults were filled in. */
async function typesOf(source) {
  const types = await compile(plainSchema(structuredClone(source)), '', {
    additionalProperties: false,
    bannerComment: '/** Generated from sallyport.schema.json by scripts/configuration-sources.mjs. */',
    style: { singleQuote: true, printWidth: 120 },
    customName: (part, name) => (part.properties?.directories ? 'ConfigurationSchema' : (part.$id ?? name)),
  });
  return types.replace(/^(\s+)(['\w]+\??: )/gm, '$1readonly $2');
}

function plainSchema(part) {
  if (typeof part !== 'object' || part === null) return part;
  if (part.properties !== undefined)
    part.required = Object.keys(part.properties).filter(
      (key) => part.required?.includes(key) || part.properties[key].default !== undefined,
    );
  if (part.type === 'object' && part.properties === undefined) part.additionalProperties ??= {};
  if (part.if !== undefined) {
    part.anyOf = [part.then, part.else];
    for (const key of ['if', 'then', 'else', 'type']) delete part[key];
  }
  // a property may have one of these names
  for (const key of ['title', 'description', 'minItems', 'maxItems'])
    if (typeof part[key] !== 'object') delete part[key];
  for (const inner of Object.values(part)) plainSchema(inner);
  return part;
}

const TABLE = /(<!-- keys of (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** A table stands between `<!-- keys of PATH -->` and `<!-- end -->`; PATH is `.`, a key of the file, or `$` and the name of a definition. */
function withTables(page) {
  return page.replace(TABLE, (_, start, path, end) => `${start}\n${tableOf(path, page)}\n\n${end}`);
}

function tableOf(path, page) {
  const part = partAt(path);
  const hasTable = (key) => page.includes(`<!-- keys of ${path === '.' ? key : `${path}.${key}`} -->`);
  const rows = [];
  for (const { key, cells } of rowsOf(part, '', hasTable)) {
    const link = path === '.' && page.includes(`\n## ${key}\n`) ? `[${key}](#${key.slice(1, -1).toLowerCase()})` : key;
    const last = rows.at(-1);
    if (last?.cells === cells) last.keys.push(link);
    else rows.push({ keys: [link], cells });
  }
  const lines = rows.map(({ keys, cells }) => `| ${keys.join(', ')} | ${cells} |`);
  return ['| key | value | default | meaning |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function partAt(path) {
  if (path === '.') return schema;
  return path
    .replace('$', '$defs.')
    .split('.')
    .reduce((part, key) => (key === '$defs' ? part.$defs : (part.properties?.[key] ?? part[key])), schema);
}

function* rowsOf(part, prefix, hasTable) {
  for (const [key, reference] of Object.entries(part.properties)) {
    const inner = resolved(reference);
    const name = `${prefix}${key}`;
    const isRequired = part.required?.includes(key);
    const cells = [valuesOf(inner), isRequired ? 'required' : defaultOf(inner), meaningOf(inner)];
    yield { key: `\`${name}\``, cells: cells.join(' | ') };
    const isBelow = prefix === '' && hasTable(key);
    if (inner.properties && !isBelow && part !== schema) yield* rowsOf(inner, `${name}.`, hasTable);
    if (inner.items?.properties) yield* rowsOf(inner.items, `${name}[].`, hasTable);
  }
}

const resolved = (part) => (part.$ref ? schema.$defs[part.$ref.slice('#/$defs/'.length)] : part);
const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``.replaceAll('|', '\\|');
const number = (value) => value.toLocaleString('en-US');

function valuesOf(part) {
  if (part.const !== undefined) return code(part.const);
  if (part.enum) return part.enum.map(code).join(', ');
  if (part.anyOf) return part.anyOf.map(valuesOf).join(' or ');
  if (part.minimum !== undefined) return `${number(part.minimum)} to ${number(part.maximum)}`;
  return [part.type]
    .flat()
    .filter((type) => type !== 'null')
    .map((type) => valueOfType(type, part))
    .join(' or ');
}

/** Bounds from this one on matter to no author of a configuration. */
const LENGTH_OF_PATHS = 1024;

function valueOfType(type, { items, minItems = 0, maxItems, maxLength, minProperties = 0, maxProperties, properties }) {
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'string')
    return maxLength === undefined || maxLength >= LENGTH_OF_PATHS
      ? 'text'
      : `text, at most ${number(maxLength)} characters`;
  if (type === 'array') {
    const choices = items?.enum ? ` of ${items.enum.map(code).join(', ')}` : '';
    return maxItems === undefined ? `list${choices}` : `list of ${minItems} to ${number(maxItems)}${choices}`;
  }
  return properties || maxProperties === undefined
    ? 'object'
    : `${number(minProperties)} to ${number(maxProperties)} entries`;
}

function defaultOf({ default: byDefault }) {
  if (byDefault === undefined || byDefault === '' || (typeof byDefault === 'object' && !byDefault.length)) return '';
  return typeof byDefault === 'number' ? number(byDefault) : code(byDefault);
}

function meaningOf({ title, description }) {
  const sentence = `${title[0].toUpperCase()}${title.slice(1)}${description ? `. ${description}` : ''}`;
  return sentence
    .replace(/[|*<]/g, '\\$&')
    .replace(/docs\/(\w+)\/([\w-]+\.md)/g, (_, folder, file) =>
      folder === 'run' ? `[${file}](${file})` : `[${file}](../${folder}/${file})`,
    );
}

if (process.argv[1] === import.meta.filename) {
  const isCheck = process.argv[2] === '--check';
  for (const [file, contents] of await configurationSources())
    if (!isCheck) writeFileSync(file, contents);
    else if (readFileSync(file, 'utf8') !== contents)
      process.stdout.write(`${file} is out of date. Run: npm run configuration-sources\n`);
}
