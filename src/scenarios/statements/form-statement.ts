import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { listed, OperandReader } from '../operand-reader.js';
import type { Instruction } from '../scenario-run.js';
import type { ScenarioKind } from '../syntax.js';

export type FormAssembler = (operands: OperandReader, assembly: Assembly) => Instruction;

/**
 * An instruction whose first operand selects its form, as in `COPY$ VALUE-TO-VARIABLE`.
 *
 * @param refused known but unsupported forms, with the reason
 */
export function formStatement(
  forms: Readonly<Record<string, FormAssembler>>,
  refused: Readonly<Record<string, string>> = {},
): StatementDefinition {
  return (assembly) => {
    const operands = new OperandReader(assembly);
    for (const [form, assemble] of Object.entries(forms)) {
      if (!operands.takeWord(form)) continue;
      const step = assemble(operands, assembly);
      operands.done();
      return step;
    }
    refuseForm(operands, Object.keys(forms), refused);
    return faultyStep;
  };
}

/** Reports an instruction in a scenario of another kind. Subroutines are allowed, because any kind can call them. */
export function onlyInKinds(assembly: Assembly, what: string, kinds: readonly ScenarioKind[]): void {
  const { kind, instruction } = assembly;
  if (kind === undefined || kind === 'SUBROUTINE' || kinds.includes(kind)) return;
  assembly.report(instruction, `${what} is for ${listed(kinds)} scenarios; this is one of kind ${kind}`);
}

export function notInThisVersionBut(instead: string): string {
  return `is not supported by this version: ${instead}`;
}

export const noFileTransfer = notInThisVersionBut(
  'files are not transferred over a session; read and write them on the screens of an editor, or with an HTTP service and OPTION$ FOR-HTTP',
);

export function refuseForm(
  operands: OperandReader,
  forms: readonly string[],
  refused: Readonly<Record<string, string>> = {},
): void {
  const operand = operands.next();
  const form = operand?.kind === 'word' ? operand.word : undefined;
  const reason = form !== undefined && Object.hasOwn(refused, form) ? refused[form] : undefined;
  const place = operand ?? operands.place;
  if (form !== undefined && reason !== undefined) operands.report(place, `${form} ${reason}`);
  else operands.report(place, `${form ?? 'the form'} is not known here: it must be ${listed(forms)}`);
}
