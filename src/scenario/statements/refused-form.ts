import { listed, type OperandReader } from '../operand-reader.js';

export const notInThisVersion = 'is not done by this version';

/**
 * Reports the form of an instruction that is known but cannot be done here, with the reason; or that is not known,
 * with the forms that are.
 */
export function refuseForm(
  operands: OperandReader,
  forms: readonly string[],
  refused: Readonly<Record<string, string>>,
): void {
  const operand = operands.next();
  const form = operand?.kind === 'word' ? operand.word : undefined;
  const reason = form !== undefined && Object.hasOwn(refused, form) ? refused[form] : undefined;
  const place = operand ?? operands.place;
  if (form !== undefined && reason !== undefined) operands.report(place, `${form} ${reason}`);
  else operands.report(place, `${form ?? 'the form'} is not known here: it must be ${listed(forms)}`);
}
