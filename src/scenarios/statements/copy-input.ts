import { faultyStep } from '../assembly.js';
import { documentEncoding } from '../map/document.js';
import type { OperandReader } from '../operand-reader.js';
import type { RequestFile } from '../scenario-outcome.js';
import { flow, type Instruction } from '../scenario-run.js';
import { notInThisVersionBut } from './form-statement.js';

/** COPY$ INPUT-TO-VARIABLE,FIELD='p',VAR='v'[,TYPE=REPLACE]: all values of a request parameter, or the first. */
export function copyInput(operands: OperandReader): Instruction {
  const field = operands.requiredSource('FIELD');
  const variable = operands.requiredText('VAR');
  const type = operands.optional('TYPE');
  if (type?.kind === 'word' && type.word === 'OFFSET-LENGTH') {
    operands.report(
      type,
      `TYPE=OFFSET-LENGTH ${notInThisVersionBut('a variable holds the text itself, whatever its length')}`,
    );
  }
  const replace = operands.optionalChoice('TYPE', ['REPLACE', 'OFFSET-LENGTH']) === 'REPLACE';
  if (field === undefined || variable === undefined) return faultyStep;
  return (run) => {
    const values = parameterValues(run.request.parameters, field.text(run) ?? '');
    run.copyTo(variable, values ?? [], replace);
    return flow.next;
  };
}

/**
 * COPY$ INPUT-FILE-TO-VARIABLE[,VAR='v'][,FILE='f']: the first file of the posted form, or the first with this name.
 */
export function copyInputFile(operands: OperandReader): Instruction {
  const variable = operands.optionalText('VAR') ?? '$INFILE$';
  const name = operands.optionalSource('FILE');
  return (run) => {
    const wanted = name?.text(run);
    const { files } = run.request;
    const file = wanted === undefined ? files[0] : fileNamed(files, wanted);
    const value = file && { bytes: file.bytes, encoding: documentEncoding(file.bytes, undefined) };
    run.copyTo(variable, value === undefined ? [] : [value], false);
    return flow.next;
  };
}

/** Matches the form field first, then the file name; case-insensitive. */
function fileNamed(files: readonly RequestFile[], wanted: string): RequestFile | undefined {
  const folded = wanted.toUpperCase();
  return (
    files.find(({ name }) => name.toUpperCase() === folded) ??
    files.find(({ fileName }) => fileName.toUpperCase() === folded)
  );
}

/** Matches the name exactly first, then case-insensitively. */
export function parameterValues(
  parameters: ReadonlyMap<string, readonly string[]>,
  name: string,
): readonly string[] | undefined {
  const exact = parameters.get(name);
  if (exact !== undefined) return exact;
  const folded = name.toUpperCase();
  for (const [given, values] of parameters) if (given.toUpperCase() === folded) return values;
  return undefined;
}
