import type { HostField, HostScreen } from '../tn3270/screen/host-screen.js';
import { fieldAt } from './field-lookup.js';
import type { Choice, FieldControl, OfferedChoice, PageDeclarations } from './page-declarations.js';

type Control<Kind extends FieldControl['kind']> = Extract<FieldControl, { readonly kind: Kind }>;

/**
 * The controls of input fields by their first character.
 * @param isSecret for fields that are not displayed or are sent encrypted; these stay plain inputs
 */
export function declaredControls(
  screen: HostScreen,
  fields: PageDeclarations['fields'],
  isSecret: (field: HostField) => boolean,
): ReadonlyMap<number, FieldControl> {
  const controls = new Map<number, FieldControl>();
  for (const { row, column, control } of fields) {
    if (row > screen.rows || column > screen.columns) continue;
    const field = fieldAt(screen, (row - 1) * screen.columns + column - 1);
    if (field !== undefined && !field.isProtected && !isSecret(field)) controls.set(field.start, control);
  }
  return controls;
}

/** The choices of a list, including the field's current content, so that opening the page changes nothing. */
export function choicesWith({ choices }: Control<'choice'>, value: string): readonly Choice[] {
  return choices.some((choice) => choice.value === value) ? choices : [{ value, label: value }, ...choices];
}

export function offeredOf(control: Control<'choice' | 'binary'>, name: string, value: string): OfferedChoice {
  if (control.kind === 'choice') {
    const values = new Set([value, ...control.choices.map((choice) => choice.value)]);
    return { name, values, whenMissing: undefined };
  }
  const { on, off } = control;
  return { name, values: new Set([value, on, off]), whenMissing: value === on ? off : undefined };
}
