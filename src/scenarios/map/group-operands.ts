import { integerOf, type OperandReader } from '../operand-reader.js';
import type { GroupDefinition } from './definition.js';
import { elementPathOperand } from './element-path-operand.js';

const MOST_OCCURRENCES = 100_000;

export type GroupOperands = Pick<GroupDefinition, 'with' | 'top' | 'occurs' | 'count' | 'event'>;

/** Operands of MAP$ BEGIN. */
export function readGroupOperands(reader: OperandReader): GroupOperands {
  const top = reader.takeWord('TOP');
  const path = elementPathOperand(reader, 'WITH');
  const occurs = readOccurs(reader);
  const count = reader.optionalText('COUNT');
  for (const name of ['OCCURS', 'COUNT']) {
    const operand = reader.optional(name);
    if (operand !== undefined && reader.optional('WITH') === undefined) {
      reader.report(operand, `${name}= needs WITH=: it counts the elements of that name`);
    }
  }
  return { with: path, top, occurs, count, event: reader.optionalText('EVENT') };
}

function readOccurs(reader: OperandReader): GroupDefinition['occurs'] {
  const operand = reader.optional('OCCURS');
  if (operand === undefined) return undefined;
  if (operand.kind === 'word' && operand.word === 'UNLIMITED') return 'unlimited';
  const occurs = integerOf(operand);
  if (occurs !== undefined && occurs >= 1 && occurs <= MOST_OCCURRENCES) return occurs;
  reader.report(operand, `OCCURS= must be UNLIMITED or a whole number from 1 to ${MOST_OCCURRENCES}`);
  return undefined;
}
