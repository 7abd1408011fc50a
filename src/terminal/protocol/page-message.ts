import type { Area, ScreenChoice } from '../../tn3270/screen/screen-condition.js';

/** `p` the number of the page, where it has one from before; `r` the revision it shows. */
interface HelloMessage {
  readonly k: 'h';
  readonly p?: number | undefined;
  readonly r?: number | undefined;
}

/** What is submitted, whatever its number. */
export interface SubmitMembers {
  /** The attention key. */
  readonly a: string;
  /** The revision of the screen on which the key was pressed; not with `y`. */
  readonly r?: number | undefined;
  /** The key was typed ahead, for the answer to the last submit of this page. */
  readonly y?: 1 | undefined;
  /** Address of the cursor. */
  readonly u?: number | undefined;
  /** The fields that were typed into, by their ids. */
  readonly f?: Readonly<Record<string, string>> | undefined;
  /** The session key, where there is a new one. */
  readonly s?: string | undefined;
  /** The key is pressed only where one of these screens is there. */
  readonly x?: ScreenChoice | undefined;
}

export interface SubmitMessage extends SubmitMembers {
  readonly k: 'k';
  readonly i: number;
}

/** Asks for the time that is left; `y` the user is there, and the time begins anew. */
interface TimeQuestion {
  readonly k: 'q';
  readonly y?: 1 | undefined;
}

/** A macro begins; without `n`, its name, it is over. */
interface MacroMessage {
  readonly k: 'm';
  readonly n?: string | undefined;
}

/** Number `i` of what a macro asks about the host: `LookQuestion`. */
export interface LookMessage {
  readonly k: 'x';
  readonly i: number;
  /** Milliseconds for the host, and for one of the screens. */
  readonly w?: number | undefined;
  readonly t?: number | undefined;
  readonly s?: ScreenChoice | undefined;
  /** An area to read. */
  readonly v?: Area | undefined;
}

/** What a page says (docs/write/screen-protocol.md). */
export type PageMessage = HelloMessage | SubmitMessage | TimeQuestion | MacroMessage | LookMessage;
