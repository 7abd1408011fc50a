import type { Assembly, JumpTarget } from '../assembly.js';
import type { Operand } from '../syntax.js';

/** The target that an operand names, reported where it names none. */
export function jumpTarget(assembly: Assembly, operand: Operand): JumpTarget | undefined {
  if (operand.kind === 'word') return assembly.jumpTo(operand.word, operand);
  assembly.report(operand, 'a label was expected');
  return undefined;
}
