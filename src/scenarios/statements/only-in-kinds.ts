import type { Assembly } from '../assembly.js';
import { listed } from '../operand-reader.js';
import type { ScenarioKind } from '../scenario-kind.js';

/** Reports an instruction that means nothing in scenarios of other kinds; a subroutine may be called from any of them. */
export function onlyInKinds(assembly: Assembly, what: string, kinds: readonly ScenarioKind[]): void {
  const { kind, instruction } = assembly;
  if (kind === undefined || kind === 'SUBROUTINE' || kinds.includes(kind)) return;
  assembly.report(instruction, `${what} is for ${listed(kinds)} scenarios; this is one of kind ${kind}`);
}
