import { listed, type OperandReader } from '../operand-reader.js';

const notInThisVersion = 'is not done by this version';

/** The same with what does it in its place. */
export function notInThisVersionBut(instead: string): string {
  return `${notInThisVersion}: ${instead}`;
}

/** IND$FILE, in all statements that name it. */
export const noFileTransfer = notInThisVersionBut(
  'no file is transferred over a session; read and write it on the screens of an editor, or by an HTTP service with OPTION$ FOR-HTTP',
);

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
