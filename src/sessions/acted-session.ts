import type { SessionCrypto } from '../crypto/session-crypto.js';
import type { Conversation } from '../tn3270/conversation/conversation.js';
import type { KeyOutcome } from '../tn3270/keyboard/keyboard-terminal.js';
import type { Screen } from '../tn3270/screen/screen.js';
import type { MessageFate } from './message-scenarios.js';
import type { BrowserSessionOptions, SessionFacts } from './session-facts.js';
import type { SessionSupervision } from './session-supervision.js';

/** The host session as everybody may see it. Acting on it takes the door (`session-door.ts`). */
export type ShownConversation = Pick<
  Conversation,
  'id' | 'deviceName' | 'secured' | 'isConnected' | 'isSettled' | 'image' | 'trace'
>;

/** The screen as everybody may see it. */
export type ShownScreen = Pick<Screen, 'image' | 'state' | 'partner'>;

/** The answer of the host to the last key of a session. */
export interface KeyAnswer {
  /** How many keys have been pressed. */
  readonly key: number;
  /** The revision of the screen at which the host gave the keyboard back; undefined: it has not yet. */
  readonly revision: number | undefined;
}

/** A session that its door acts in. */
export interface ActedSession {
  readonly facts: SessionFacts;
  readonly options: Pick<BrowserSessionOptions, 'scenarios' | 'rules' | 'transfers'>;
  readonly crypto: SessionCrypto | undefined;
  readonly screen: ShownScreen;
  readonly supervision: SessionSupervision;
  readonly answer: KeyAnswer;
  readonly end: object | undefined;
  /** Whether requests still find it. */
  readonly isOpen: boolean;
  /** Whether the next move is the browser's, or the session is over. */
  readonly isSettled: boolean;
  /** Whether a scenario has the screen. */
  readonly hasScenario: boolean;
  /** Whether nobody sees the screen or types into it: a scenario has it, or the session is no longer open. */
  readonly isHidden: boolean;
  seen(): void;
  settled(): Promise<void>;
  /** Resolves when the screen is not hidden, or the session is over. */
  visible(): Promise<void>;
  undecipherable(): void;
  deciphered(): void;
}

/** The end of a key that an INPUT scenario inspected. */
export interface PressEnd {
  readonly fate: MessageFate;
  /** Of the keyboard; undefined: the key was not pressed. */
  readonly outcome?: KeyOutcome | undefined;
}

/** The part of a session that only its door has. */
export interface ActingPart {
  readonly conversation: Conversation;
  /** Presses a key for which the screen is ready. */
  press(key: string): void;
  /** @throws what the INPUT scenario refuses */
  pressAfterScenario(key: string, type: () => void): Promise<PressEnd>;
  /** The conversation has pressed a key. */
  noteSent(): void;
  /** @returns the function that ends it; undefined: the next move is not the browser's */
  beginTransfer(): (() => void) | undefined;
}
