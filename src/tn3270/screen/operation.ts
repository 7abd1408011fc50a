import type { BufferAddress } from '../datastream/buffer-address.js';
import { Keyboard } from '../keyboard/keyboard.js';
import { type OperatorError, operatorErrors } from '../keyboard/operator-errors.js';
import { controls, enterForm, type FormEntry, type FormRefusal } from './form-entry.js';
import { rememberScreenApart } from './screen-backup.js';
import type { EntryRules } from './screen-entry.js';
import type { ScreenState } from './screen-state.js';
import { type ScreenPartner, ScreenTerminal } from './screen-terminal.js';

/** What is typed at the cursor: characters, or one of `localKeys`. */
export type Stroke = { readonly text: string } | { readonly key: string };

/** What an operator does before he looks at the host's answer, in this order. */
export interface Operation {
  readonly entries: readonly FormEntry[];
  /** Undefined: where it was. */
  readonly cursor: BufferAddress | undefined;
  readonly strokes: readonly Stroke[];
  /** Of `attentionKeys`; undefined: none. */
  readonly key: string | undefined;
}

interface OperatedScreen {
  readonly state: ScreenState;
  readonly rules: EntryRules;
  readonly partner: ScreenPartner;
  /** Sends an attention identifier, and the screen with it. */
  readonly send: (aid: number) => void;
}

/**
 * Does all of it or nothing: nothing has gone to the host before everything is done, and a refusal puts the screen back as it was,
 * with no operator error on it.
 * @returns the first thing that could not be done, and where
 */
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
    // a trigger field was left, and the host has the keyboard before all is typed
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
