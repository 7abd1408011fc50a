import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { flow } from '../step.js';
import { needsHostSession, refuseForm } from './refused-form.js';

/** ACTION$ DISCONNECT: a scenario transaction ends with its answer anyway, so there is nothing left to do. */
export const actionStatement: StatementDefinition = {
  name: 'ACTION$',
  assemble(assembly) {
    const operands = new OperandReader(assembly);
    if (operands.takeWord('DISCONNECT')) {
      operands.done();
      return () => flow.next;
    }
    refuseForm(operands, ['DISCONNECT'], {
      'TO-APPLICATION': needsHostSession,
      'TO-TERMINAL': needsHostSession,
      'REFRESH-TERMINAL': needsHostSession,
      'SERVE-ANOTHER-USER': needsHostSession,
      TERMSESS: needsHostSession,
    });
    return faultyStep;
  },
};
