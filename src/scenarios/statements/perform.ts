import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';

/** PERFORM$ label: calls a SUBROUTINE scenario, or the instructions from a label to their RETURN$. */
export const performStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const label = operands.nextText('the label of the subroutine');
  operands.done();
  if (label === undefined) return faultyStep;
  const target = assembly.subroutine(label.text.toUpperCase(), label);
  return (run) => {
    run.enterSubroutine(run.at + 1);
    return target.index;
  };
};

/** RETURN$: returns from PERFORM$ or MAP$ EXECUTE. */
export const returnStatement: StatementDefinition = (assembly) => {
  new OperandReader(assembly).done();
  return (run) => {
    const target = run.returnFromSubroutine();
    if (target === undefined)
      throw new ScenarioAbendError('RETURN$ has no caller: it was reached without PERFORM$ or MAP$ EXECUTE');
    return target;
  };
};
