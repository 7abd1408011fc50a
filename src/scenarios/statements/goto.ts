import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';

export const gotoStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const label = operands.nextText('the label to go to');
  operands.done();
  if (label === undefined) return faultyStep;
  const target = assembly.jumpTo(label.text.toUpperCase(), label);
  return () => target.index;
};
