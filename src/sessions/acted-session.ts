import type { SessionCrypto } from '../crypto/session-crypto.js';
import type { Conversation } from '../tn3270/conversation/conversation.js';
import type { KeyOutcome } from '../tn3270/keyboard/keyboard-terminal.js';
import type { Screen } from '../tn3270/screen/screen.js';
import type { MessageFate } from './message-scenarios.js';
import type { BrowserSessionOptions, SessionFacts } from './session-facts.js';
import type { SessionSupervision } from './session-supervision.js';

/** Read-only view of the host session. Only `GuardedSession` acts on it. */
export type ShownConversation = Pick<
  Conversation,
  'id' | 'deviceName' | 'secured' | 'isConnected' | 'isSettled' | 'image' | 'trace'
>;

export type ShownScreen = Pick<Screen, 'image' | 'state' | 'partner'>;

export interface KeyAnswer {
  readonly key: number;
  /** Revision of the screen at which the host unlocked the keyboard; undefined if it has not yet. */
  readonly revision: number | undefined;
}

export interface ActedSession {
  readonly facts: SessionFacts;
  readonly options: Pick<BrowserSessionOptions, 'scenarios' | 'rules' | 'transfers'>;
  readonly crypto: SessionCrypto | undefined;
  readonly screen: ShownScreen;
  readonly supervision: SessionSupervision;
  readonly answer: KeyAnswer;
  readonly end: object | undefined;
  readonly isOpen: boolean;
  /** True if it is the browser's turn, or the session has ended. */
  readonly isSettled: boolean;
  readonly hasScenario: boolean;
  /** True while a scenario uses the screen, and after the session is no longer open. */
  readonly isHidden: boolean;
  seen(): void;
  settled(): Promise<void>;
  /** Resolves when the screen is visible or the session has ended. */
  visible(): Promise<void>;
  undecipherable(): void;
  deciphered(): void;
}

export interface PressEnd {
  readonly fate: MessageFate;
  readonly outcome?: KeyOutcome | undefined;
}

/** The part of a session that only its `GuardedSession` may use. */
export interface ActingPart {
  readonly conversation: Conversation;
  /** Requires a screen that accepts keys. */
  press(key: string): void;
  /** @throws the error of the INPUT scenario (ERROR$) */
  pressAfterScenario(key: string, type: () => void): Promise<PressEnd>;
  noteSent(): void;
  /** @returns a function that ends the transfer; undefined if it is not the browser's turn */
  beginTransfer(): (() => void) | undefined;
}
