import { faultyStep, type StatementDefinition } from '../assembly.js';
import type { LoopDefinition } from '../loop-definition.js';
import { OperandReader } from '../operand-reader.js';
import { flow } from '../step.js';
import { needsHostSession, refuseForm } from './refused-form.js';

/**
 * label FOREACH$ VALUE-IN-VARIABLE,'v' … label ENDFOR$: does what stands between once for each value that the
 * variable has when the loop begins. Inside, the variable reads as its current value.
 */
export const foreachStatement: StatementDefinition = {
  name: 'FOREACH$',
  assemble(assembly) {
    const operands = new OperandReader(assembly);
    if (!operands.takeWord('VALUE-IN-VARIABLE')) {
      refuseForm(operands, ['VALUE-IN-VARIABLE'], { 'VALUE-IN-SCREEN': needsHostSession });
    }
    const named = operands.optionalText('VAR') ?? operands.nextText('the variable to loop over')?.text;
    operands.done();
    const { label, line, column } = assembly.instruction;
    const loop: LoopDefinition = {
      label,
      variable: named ?? '',
      place: { line, column },
      start: assembly.index,
      end: -1,
    };
    assembly.openLoop(loop);
    return (run) => (run.enterLoop(loop) ? flow.next : loop.end + 1);
  },
};

export const endforStatement: StatementDefinition = {
  name: 'ENDFOR$',
  assemble(assembly) {
    const operands = new OperandReader(assembly);
    const loop = assembly.closeLoop(assembly.instruction.label ?? operands.nextWord()?.word);
    operands.done();
    if (loop === undefined) return faultyStep;
    loop.end = assembly.index;
    return (run) => (run.advanceLoop(loop) ? loop.start + 1 : flow.next);
  },
};
