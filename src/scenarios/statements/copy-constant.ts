import { faultyStep } from '../assembly.js';
import { isText, type OperandReader, textSource } from '../operand-reader.js';
import { flow, type Instruction, type ScenarioRun } from '../scenario-run.js';
import type { Operand } from '../syntax.js';
import type { ScenarioValue } from '../value.js';

const HEX_CONSTANT = /^X'((?:[0-9A-F]{2})+)'$/i;

/** COPY$ VALUE-TO-VARIABLE,VAR='v',VALUE='text'[,TYPE=REPLACE]; VALUE=X'…' is bytes in the EBCDIC code page. */
export function copyValue(operands: OperandReader): Instruction {
  const variable = operands.requiredText('VAR');
  const operand = operands.required('VALUE');
  const replace = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  const value = operand && constantOf(operand);
  if (operand !== undefined && value === undefined) operands.report(operand, "VALUE= must be a text in quotes or X'…'");
  if (variable === undefined || value === undefined) return faultyStep;
  return (run) => {
    run.copyTo(variable, [value(run)], replace);
    return flow.next;
  };
}

function constantOf(operand: Operand): ((run: ScenarioRun) => ScenarioValue) | undefined {
  const hex = operand.kind === 'word' ? HEX_CONSTANT.exec(operand.text)?.[1] : undefined;
  if (hex === undefined) return isText(operand) ? () => operand.text : undefined;
  const bytes = Buffer.from(hex, 'hex');
  return (run) => ({ bytes, encoding: run.codePage });
}

/** COPY$ LIST-TO-VARIABLE,VAR='v',LIST=('text','*variable',…)[,LTRIM=YES][,RTRIM=YES][,TYPE=REPLACE]: concatenates. */
export function copyList(operands: OperandReader): Instruction {
  const variable = operands.requiredText('VAR');
  const list = operands.requiredList('LIST');
  const trimsLeft = readTrim(operands, 'LTRIM');
  const trimsRight = readTrim(operands, 'RTRIM');
  const replace = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  const sources = (list?.items ?? []).map((item) => {
    if (item.kind === 'string') return textSource(item.text);
    operands.report(item, 'a text in quotes was expected');
    return textSource('');
  });
  if (variable === undefined) return faultyStep;
  return (run) => {
    const parts = sources.map((source) => {
      const text = source.text(run) ?? '';
      const left = trimsLeft ? text.trimStart() : text;
      return trimsRight ? left.trimEnd() : left;
    });
    run.copyTo(variable, [parts.join('')], replace);
    return flow.next;
  };
}

function readTrim(operands: OperandReader, name: 'LTRIM' | 'RTRIM'): boolean {
  const choice = operands.optionalChoice(name, ['YES', 'NO']);
  return operands.takeWord(name) || choice === 'YES';
}
