import type { StatementDefinition } from '../assembly.js';
import { integerOf, jumpTarget, OperandReader } from '../operand-reader.js';
import { flow } from '../scenario-run.js';

/**
 * HANDLE$ ABEND=label: continues the run at the label after an abend. HANDLE$ LOOP=(label,count): after `count` more
 * instructions, the loop guard continues the run at the label. Each applies once.
 */
export const handleStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const abend = operands.optional('ABEND');
  const abendTarget = abend && jumpTarget(assembly, abend);
  const loop = operands.optional('LOOP');
  const [label, counted] = loop?.kind === 'list' ? loop.items : [];
  operands.warnOfRest(loop, 2);
  const loopTarget = label && jumpTarget(assembly, label);
  const count = counted && integerOf(counted);
  if (loop !== undefined && (loopTarget === undefined || count === undefined || count < 1)) {
    assembly.report(loop, 'LOOP= must be (label,count) with a count of 1 or more');
  }
  if (abend === undefined && loop === undefined) assembly.report(operands.place, 'ABEND= or LOOP= is missing');
  operands.done();
  return (run) => {
    const { performDepth } = run;
    if (abendTarget !== undefined) run.abendHandler = { target: abendTarget.index, performDepth };
    if (loopTarget !== undefined && count !== undefined) {
      run.loopHandler = { target: loopTarget.index, performDepth };
      run.loopGuard = run.steps + count;
    }
    return flow.next;
  };
};
