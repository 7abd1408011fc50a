import { type Assembly, faultyStep } from '../assembly.js';
import type { OperandReader } from '../operand-reader.js';
import { flow, type Instruction } from '../scenario-run.js';
import { readArea, textsOfArea } from '../screen-area.js';

/**
 * COPY$ SCREEN-TO-VARIABLE,SCREEN=(row,column,length[,height]),VAR='v'[,TYPE=REPLACE]: text of the area; with a height,
 * a value for each row. Attributes, nulls and nondisplay fields are blanks.
 */
export function copyScreen(operands: OperandReader, assembly: Assembly): Instruction {
  assembly.usesScreen();
  const place = operands.required('SCREEN');
  const area = place && readArea(assembly, place, { length: 'required', takesHeight: true });
  const variable = operands.requiredText('VAR');
  const replaces = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  if (area === undefined || variable === undefined) return faultyStep;
  return (run) => {
    const { screen } = run;
    const texts = textsOfArea(screen, area(run, screen));
    if (replaces) run.replaceAll(variable, texts);
    else run.copyTo(variable, texts, false);
    run.notFound = false;
    return flow.next;
  };
}

/** COPY$ FIELD-NAME-TO-VARIABLE,SCREEN=(row,column),VAR='v'[,TYPE=REPLACE]: name of an input field in forms. */
export function copyFieldName(operands: OperandReader, assembly: Assembly): Instruction {
  assembly.usesScreen();
  const place = operands.required('SCREEN');
  const area = place && readArea(assembly, place, { length: 'optional' });
  const variable = operands.requiredText('VAR');
  const replaces = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  if (area === undefined || variable === undefined) return faultyStep;
  return (run) => {
    const { screen } = run;
    const name = screen.fieldNameAt(area(run, screen).position);
    run.copyTo(variable, name === undefined ? [] : [name], replaces);
    return flow.next;
  };
}
