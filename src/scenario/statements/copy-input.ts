import { faultyStep } from '../assembly.js';
import type { OperandReader } from '../operand-reader.js';
import { flow, type Step } from '../step.js';

/** COPY$ INPUT-TO-VARIABLE,FIELD='p',VAR='v'[,TYPE=REPLACE]: a parameter of the request; all of its values, or the first. */
export function copyInput(operands: OperandReader): Step {
  const field = operands.requiredSource('FIELD');
  const variable = operands.requiredText('VAR');
  const replace = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  if (field === undefined || variable === undefined) return faultyStep;
  return (run) => {
    const values = parameterValues(run.request.parameters, field.text(run) ?? '');
    run.copyTo(variable, values ?? [], replace);
    return flow.next;
  };
}

/** COPY$ INPUT-FILE-TO-VARIABLE[,VAR='v'][,FILE='f']: an attached file; a GET has none, so the condition is NOT-FOUND. */
export function copyInputFile(operands: OperandReader): Step {
  const variable = operands.optionalText('VAR') ?? '$INFILE$';
  operands.optionalText('FILE');
  return (run) => {
    run.copyTo(variable, [], false);
    return flow.next;
  };
}

/** The values of a parameter, its name matched exactly first, then without regard to case. */
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
