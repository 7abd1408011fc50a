import { codePointCount, codePointsFurther, firstCodePoints } from '../../lib/text/characters.js';
import { faultyStep } from '../assembly.js';
import { type OperandReader, readVariablePair } from '../operand-reader.js';
import { flow, type Instruction } from '../scenario-run.js';
import { type ScenarioValue, valueText } from '../value.js';

const LONGEST_PART = 16_777_216;

/**
 * COPY$ VARIABLE-TO-VARIABLE,VAR=('from','to')[,OFFSET=n][,LENGTH=n][,PAD='c'][,TYPE=REPLACE]: copies all values of a
 * variable, or the current value inside a FOREACH$ over it. OFFSET counts code points from 0, as in MAP$ areas. PAD
 * fills values shorter than LENGTH on the right.
 */
export function copyVariable(operands: OperandReader): Instruction {
  const pair = readVariablePair(operands);
  const part = readPart(operands);
  const replace = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  if (pair === undefined) return faultyStep;
  return (run) => {
    const values = (run.copiedValuesOf(pair.from) ?? []).map(part);
    if (replace && values.length > 0) run.replaceAll(pair.to, values);
    else run.copyTo(pair.to, values, false);
    run.notFound = values.length === 0;
    return flow.next;
  };
}

export function readPart(operands: OperandReader): (value: ScenarioValue) => ScenarioValue {
  const offset = operands.optionalInteger('OFFSET', 0, LONGEST_PART);
  const length = operands.optionalInteger('LENGTH', 0, LONGEST_PART);
  const pad = operands.optionalText('PAD');
  if (pad !== undefined && codePointCount(pad) !== 1) operands.report(operands.place, 'PAD= must be one character');
  if (pad !== undefined && length === undefined) operands.report(operands.place, 'PAD= needs LENGTH=');
  if (offset === undefined && length === undefined) return (value) => value;
  const start = offset ?? 0;
  return (value) => {
    const text = valueText(value);
    const rest = text.slice(codePointsFurther(text, 0, start));
    if (length === undefined) return rest;
    const taken = firstCodePoints(rest, length);
    return pad === undefined ? taken : taken + pad.repeat(length - codePointCount(taken));
  };
}
