import type { BufferAddress } from '../datastream/buffer-address.js';
import { Keyboard } from '../keyboard/keyboard.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { controls, enterForm, type FormEntry, type FormRefusal } from './form-entry.js';
import { rememberScreenApart } from './screen-backup.js';
import type { EntryRules } from './screen-entry.js';
import type { ScreenState } from './screen-state.js';
import { type ScreenPartner, ScreenTerminal } from './screen-terminal.js';

export type Stroke = { readonly text: string } | { readonly key: string };

/** Actions of an operator before the next answer of the host, in this order. */
export interface Operation {
  readonly entries: readonly FormEntry[];
  readonly cursor: BufferAddress | undefined;
  readonly strokes: readonly Stroke[];
  readonly key: string | undefined;
}

interface OperatedScreen {
  readonly state: ScreenState;
  readonly rules: EntryRules;
  readonly partner: ScreenPartner;
  readonly send: (aid: number) => void;
}

/** All or nothing: nothing is sent before all actions have succeeded, and an error restores the screen. */
export function operate(
  { state, rules, partner, send }: OperatedScreen,
  { entries, cursor, strokes, key }: Operation,
): FormRefusal | undefined {
  const restore = rememberScreenApart(state);
  const { space } = state;
  const sent: number[] = [];
  const terminal = new ScreenTerminal(state, rules, (aid) => sent.push(aid));
  terminal.partner = partner;
  const keyboard = new Keyboard(terminal);
  const refuse = (refusal: FormRefusal) => {
    restore();
    state.revision++;
    return refusal;
  };
  const refusal = enterForm(state, { entries, cursor, sendsFields: false }, rules);
  if (refusal !== undefined) return refuse(refusal);
  for (const action of [...strokes, ...(key === undefined ? [] : [{ key }])]) {
    const address = space.cursor;
    // a key left a trigger field, so the host has the keyboard before all actions are performed
    if (sent.length > 0) return refuse({ address, reason: operatorErrors.minusFunction });
    if ('text' in action && controls.test(action.text)) return refuse({ address, reason: 'untypable' });
    const outcome = 'text' in action ? keyboard.type(action.text) : keyboard.press(action.key);
    if (outcome !== 'done') return refuse({ address: space.cursor, reason: reasonOf(outcome) });
  }
  state.revision++;
  for (const aid of sent) send(aid);
  return undefined;
}

function reasonOf(outcome: string | undefined): OperatorError {
  return Object.values(operatorErrors).find((error) => error === outcome) ?? operatorErrors.minusFunction;
}
