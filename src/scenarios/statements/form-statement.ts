import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import type { Step } from '../step.js';
import { refuseForm } from './refused-form.js';

/** How the operands after the first word of an instruction are assembled. */
export type FormAssembler = (operands: OperandReader, assembly: Assembly) => Step;

/**
 * An instruction whose first operand says what it does, as in `COPY$ VALUE-TO-VARIABLE`.
 *
 * @param refused forms that are known but not done, with the reason
 */
export function formStatement(
  name: string,
  forms: Readonly<Record<string, FormAssembler>>,
  refused: Readonly<Record<string, string>>,
): StatementDefinition {
  return {
    name,
    assemble(assembly) {
      const operands = new OperandReader(assembly);
      for (const [form, assemble] of Object.entries(forms)) {
        if (!operands.takeWord(form)) continue;
        const step = assemble(operands, assembly);
        operands.done();
        return step;
      }
      refuseForm(operands, Object.keys(forms), refused);
      return faultyStep;
    },
  };
}
