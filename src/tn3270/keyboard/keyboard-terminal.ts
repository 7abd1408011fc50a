import type { EntryTerminal } from './entry-terminal.js';
import type { OperatorError } from './operator-errors.js';

export type KeyOutcome = 'done' | 'typedAhead' | 'dropped' | OperatorError;

/** Something that is done on the screen. */
export type KeyboardAction =
  | { readonly did: 'typed'; readonly character: string }
  | { readonly did: 'pressed'; readonly key: string }
  | { readonly did: 'moved' };

/** What a keyboard needs of the terminal that it belongs to. */
export interface KeyboardTerminal<Code> extends EntryTerminal<Code> {
  /** There is no partner to type to. */
  readonly noPartner: boolean;
  /** A key went to the host, and the host has not restored the keyboard. */
  readonly waitingForHost: boolean;
  /** The name of an operator error; it may be none of `operatorErrors`. */
  readonly operatorError: string | undefined;
  setOperatorError(error: OperatorError | undefined): void;
  /** The host sent a record that cannot be carried out (X PROG): Reset alone goes on. */
  readonly isChecked: boolean;
  /** Whatever keeps the operator from typing is seen to, and insert mode is over. */
  reset(): void;
  /** Whether Insert turns its mode off again; on a 3278 only Reset and keys that go to the host do. */
  readonly insertToggles: boolean;
  isAttentionKey(key: string): boolean;
  /** Whether fields that must be entered or filled are to be so before the key is sent. */
  checksFields(key: string): boolean;
  /**
   * Sends an attention key, and locks the keyboard for it.
   * @returns why it could not be sent
   */
  attention(key: string): OperatorError | undefined;
  /** Tells the host that a trigger field was left, and locks the keyboard for it. */
  trigger(): void;
  /** Carries out what is done, now that its turn has come. */
  perform(action: KeyboardAction, act: () => KeyOutcome): KeyOutcome;
}
