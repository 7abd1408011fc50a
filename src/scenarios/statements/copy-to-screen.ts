import { type Assembly, faultyStep } from '../assembly.js';
import { type OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type Instruction, type ScenarioRun } from '../scenario-run.js';
import { readArea } from '../screen-area.js';
import { valueText } from '../value.js';
import { parameterValues } from './copy-input.js';

type Copied = (run: ScenarioRun) => string | undefined;

const NOTHING = /^X'(?:00)+'$/i;

/**
 * COPY$ VALUE-TO-SCREEN,VALUE='text',SCREEN=(row,column[,length])[,TYPE=ERASE-FIELD]. VALUE=X'00' with TYPE=ERASE-FIELD
 * clears the field without moving the cursor.
 */
export function copyValueToScreen(operands: OperandReader, assembly: Assembly): Instruction {
  const operand = operands.required('VALUE');
  const isNothing = operand?.kind === 'word' && NOTHING.test(operand.text);
  let source: TextSource | undefined;
  if (operand?.kind === 'string') source = textSource(operand.text);
  else if (operand?.kind === 'word' && !/^X'/i.test(operand.text)) source = textSource(operand.text);
  else if (operand !== undefined && !isNothing) operands.report(operand, "VALUE= must be a text in quotes, or X'00'");
  if (isNothing) return copyToScreen(operands, assembly, () => '', false);
  return copyToScreen(operands, assembly, source?.text);
}

/** COPY$ VARIABLE-TO-SCREEN,VAR='v',SCREEN=(row,column[,length])[,TYPE=ERASE-FIELD]. */
export function copyVariableToScreen(operands: OperandReader, assembly: Assembly): Instruction {
  const variable = operands.requiredText('VAR');
  const copied: Copied | undefined =
    variable === undefined
      ? undefined
      : (run) => {
          const value = run.valueOf(variable);
          return value === undefined ? undefined : valueText(value);
        };
  return copyToScreen(operands, assembly, copied);
}

/** COPY$ INPUT-TO-SCREEN,FIELD='parameter',SCREEN=(row,column[,length])[,TYPE=ERASE-FIELD]. */
export function copyInputToScreen(operands: OperandReader, assembly: Assembly): Instruction {
  const field = operands.requiredSource('FIELD');
  const copied: Copied | undefined =
    field && ((run) => parameterValues(run.request.parameters, field.text(run) ?? '')?.[0]);
  return copyToScreen(operands, assembly, copied);
}

/**
 * A missing value sets NOT-FOUND, a long value is truncated. Input that the keyboard rejects abends the run: a
 * protected position, letters in a numeric field, a character that the host does not have, a locked keyboard.
 */
function copyToScreen(
  operands: OperandReader,
  assembly: Assembly,
  copied: Copied | undefined,
  movesCursor = true,
): Instruction {
  assembly.usesScreen();
  const place = operands.required('SCREEN');
  const area = place && readArea(assembly, place, { length: 'optional' });
  const erasesField = operands.optionalChoice('TYPE', ['ERASE-FIELD']) !== undefined;
  if (!movesCursor && !erasesField) operands.report(operands.place, "VALUE=X'00' needs TYPE=ERASE-FIELD");
  if (copied === undefined || area === undefined) return faultyStep;
  return (run) => {
    const text = copied(run);
    run.notFound = text === undefined;
    if (text === undefined) return flow.next;
    const { screen } = run;
    const { position, length } = area(run, screen);
    const refusal = screen.write({ position, text, length, erasesField, movesCursor });
    if (refusal !== undefined) {
      const row = Math.floor(position / screen.columns) + 1;
      throw new ScenarioAbendError(
        `nothing can be copied to row ${row}, column ${(position % screen.columns) + 1}: ${refusal}`,
      );
    }
    return flow.next;
  };
}
