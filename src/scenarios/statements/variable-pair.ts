import { isText, type OperandReader } from '../operand-reader.js';

/** VAR=('from','to'). */
export function readVariablePair(operands: OperandReader): { from: string; to: string } | undefined {
  const list = operands.requiredList('VAR');
  if (list === undefined) return undefined;
  const [from, to, ...more] = list.items;
  const named = (operand: typeof from) => (isText(operand) ? operand.text : undefined);
  const [fromName, toName] = [named(from), named(to)];
  if (fromName !== undefined && toName !== undefined && more.length === 0) return { from: fromName, to: toName };
  operands.report(list, "VAR= must name two variables: ('from','to')");
  return undefined;
}
