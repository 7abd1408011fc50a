import type { Assembly } from '../assembly.js';
import { listed, OperandReader } from '../operand-reader.js';
import type { Operand, SourceInstruction } from '../syntax.js';
import { type DocumentFormat, documentFormats } from './document.js';

export type MapSource =
  | { readonly from: 'input' }
  | { readonly from: 'field'; readonly field: string }
  | { readonly from: 'variable'; readonly variable: string };

/** Effect of `g MAP$ FROM-…`, `g MAP$ TO-VARIABLE` or `g TOVAR$ FROM-…`; `structure` is the label g. */
export type MapExecution =
  | { readonly kind: 'record'; readonly structure: string; readonly source: MapSource; readonly format: DocumentFormat }
  /** Maps a document to one variable per field, or splits a record (`RECORD`: TOVAR$ without a format). */
  | {
      readonly kind: 'variables';
      readonly structure: string;
      readonly source: MapSource;
      readonly format: DocumentFormat | 'RECORD';
    }
  | { readonly kind: 'toVariable'; readonly structure: string; readonly variable: string };

const mapExecutions: readonly string[] = ['FROM-INPUT', 'FROM-FIELD', 'FROM-VARIABLE', 'TO-VARIABLE'];

export function isMapExecution({ name, operands }: SourceInstruction): boolean {
  if (name === 'TOVAR$') return true;
  const first = operands[0];
  return name === 'MAP$' && first?.kind === 'word' && mapExecutions.includes(first.word);
}

/** True for a MAP$ that defines a structure. An unknown operation counts too: MapAssembler reports it. */
export function isMapDefinition(instruction: SourceInstruction): boolean {
  return instruction.name === 'MAP$' && !isMapExecution(instruction);
}

/** Reads an instruction of `isMapExecution`; undefined after a reported error. Source: reference/4.3. */
export function parseMapExecution(
  assembly: Pick<Assembly, 'instruction' | 'report' | 'warn'>,
): MapExecution | undefined {
  const { instruction } = assembly;
  let faulty = false;
  const report: Assembly['report'] = (place, message) => {
    faulty = true;
    return assembly.report(place, message);
  };
  const reader = new OperandReader({ instruction, report, warn: (place, message) => assembly.warn(place, message) });
  const structure = instruction.label;
  if (structure === undefined) report(instruction, `${instruction.name} needs the label of its structure before it`);
  const execution = readExecution(reader, instruction, structure ?? '');
  reader.done();
  return faulty ? undefined : execution;
}

function readExecution(
  reader: OperandReader,
  { name }: SourceInstruction,
  structure: string,
): MapExecution | undefined {
  const first = reader.nextWord();
  if (name === 'MAP$' && first?.word === 'TO-VARIABLE') {
    const variable = reader.requiredText('VAR');
    return variable === undefined ? undefined : { kind: 'toVariable', structure, variable };
  }
  const source = readSource(reader, first?.word);
  const words = readWords(reader, name === 'MAP$');
  if (source === undefined) return undefined;
  if (name === 'TOVAR$') return { kind: 'variables', structure, source, format: words.format ?? 'RECORD' };
  return { kind: words.toVariables ? 'variables' : 'record', structure, source, format: words.format ?? 'XML' };
}

function readSource(reader: OperandReader, word: string | undefined): MapSource | undefined {
  if (word === 'FROM-INPUT') return { from: 'input' };
  if (word === 'FROM-FIELD') {
    const field = reader.requiredText('FIELD');
    return field === undefined ? undefined : { from: 'field', field };
  }
  if (word === 'FROM-VARIABLE') {
    const variable = reader.requiredText('VAR');
    return variable === undefined ? undefined : { from: 'variable', variable };
  }
  return reader.report(reader.place, 'FROM-INPUT, FROM-FIELD or FROM-VARIABLE is missing');
}

function readWords(
  reader: OperandReader,
  mayHaveToVariables: boolean,
): { readonly format: DocumentFormat | undefined; readonly toVariables: boolean } {
  let format: DocumentFormat | undefined;
  let toVariables = false;
  for (const operand of reader.rest()) {
    const found = documentFormats.find((known) => isWord(operand, known));
    if (found !== undefined && format === undefined) format = found;
    else if (mayHaveToVariables && !toVariables && isWord(operand, 'TO-VARIABLES')) toVariables = true;
    else
      reader.report(
        operand,
        `${listed(documentFormats)}${mayHaveToVariables ? ', and TO-VARIABLES' : ''} are allowed here`,
      );
  }
  return { format, toVariables };
}

function isWord(operand: Operand, word: string): boolean {
  return operand.kind === 'word' && operand.word === word;
}
