import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Structure } from '../../../src/scenarios/map/definition.js';
import { type DocumentFormat, documentFormats } from '../../../src/scenarios/map/document.js';
import { mapToRecord, mapToVariables } from '../../../src/scenarios/map/map-document.js';
import type { MapExecution } from '../../../src/scenarios/map/map-execution.js';
import type { MappingPort } from '../../../src/scenarios/map/mapping.js';
import { recordToVariables } from '../../../src/scenarios/map/record-to-variables.js';
import { fixture } from '../../support/project.js';
import { assembleMaps, structureOf } from './structure-source.js';
import { readDocument, recordOf, VariableTable } from './variable-table.js';

/**
 * test/fixtures/map/<case>/: structure.scn (MAP$ definitions, and the execution where it is not a plain MAP$
 * FROM-VARIABLE) with input.xml, .json, .query or .txt (a record for TOVAR$) and variables.json (values before), or
 * nothing, gives expected.txt (the record, to the byte), expected.json (the variables after) and
 * expected-numeric-faults.txt (`element length fault`), or
 * expected-errors.txt (`line:column: words of the message`).
 */
const folder = fixture('map');

describe('MAP$ and TOVAR$, by the cases of test/fixtures/map', () => {
  const cases = readdirSync(folder);

  it('has its cases', () => expect(cases).to.have.length.of.at.least(40));

  for (const name of cases) {
    const source = readFileSync(join(folder, name, 'structure.scn'), 'utf8');
    const expectedErrors = read(name, 'expected-errors.txt');
    if (expectedErrors === undefined) it(name, () => verifyMapping(name, source));
    else it(name, () => verifyFaults(source, expectedErrors));
  }
});

function verifyMapping(name: string, source: string): void {
  const structure = structureOf(source);
  const variables = new VariableTable(json(name, 'variables.json') ?? {});
  const [execution] = assembleMaps(source).executions;
  const record = recordOf(mapping(name, structure, execution, variables));
  expect(record).to.equal(read(name, 'expected.txt'));
  expect(variables.toRecord()).to.deep.equal(json(name, 'expected.json') ?? {});
  expect(variables.numericFaults.map((fault) => `${fault}\n`).join('')).to.equal(
    read(name, 'expected-numeric-faults.txt') ?? '',
  );
}

function mapping(name: string, structure: Structure, execution: MapExecution | undefined, port: MappingPort) {
  const [file = ''] = readdirSync(join(folder, name)).filter((found) => found.startsWith('input.'));
  const input = read(name, file) ?? '';
  if (execution?.kind === 'variables' && execution.format === 'RECORD')
    return recordToVariables(structure, input, port);
  const document = readDocument(formatOf(file), input);
  return execution?.kind === 'variables'
    ? mapToVariables(structure, document, port)
    : mapToRecord(structure, document, port);
}

function verifyFaults(source: string, expectedErrors: string): void {
  const expected = expectedErrors.trimEnd().split('\n');
  const { faults } = assembleMaps(source);
  const found = faults.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  expect(found, found.join('\n')).to.have.lengthOf(expected.length);
  for (const [at, words] of expected.entries()) {
    const [, place = '', text = ''] = /^(\d+:\d+: )(.*)$/.exec(words) ?? [];
    expect(found[at]).to.satisfy((fault: string) => fault.startsWith(place) && fault.includes(text), words);
  }
}

function formatOf(file: string): DocumentFormat {
  const format = documentFormats.find((known) => file === `input.${known.toLowerCase()}`);
  if (format === undefined) throw new Error(`no format for ${file}`);
  return format;
}

function read(name: string, file: string): string | undefined {
  const path = join(folder, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function json(name: string, file: string): Record<string, string[]> | undefined {
  const text = read(name, file);
  return text === undefined ? undefined : JSON.parse(text);
}
