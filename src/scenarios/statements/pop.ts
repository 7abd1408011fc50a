import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { flow } from '../scenario-run.js';

/** POP$ [FIRST-VALUE-OF or ALL-VALUES-OF,]VAR='v': deletes the first value or all; sets NOT-FOUND if there is none. */
export const popStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const all = operands.takeWord('ALL-VALUES-OF');
  if (!all) operands.takeWord('FIRST-VALUE-OF');
  const variable = operands.requiredText('VAR');
  operands.done();
  if (variable === undefined) return faultyStep;
  return (run) => {
    run.notFound = !(all ? run.variables.deleteAll(variable) : run.variables.deleteFirst(variable));
    return flow.next;
  };
};
