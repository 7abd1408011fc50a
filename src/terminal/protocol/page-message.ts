import type { Area, ScreenChoice } from '../../tn3270/screen/screen-condition.js';

/** `p`: number of the page, if it was connected before; `r`: revision that it shows. */
interface HelloMessage {
  readonly k: 'h';
  readonly p?: number | undefined;
  readonly r?: number | undefined;
}

export interface SubmitMembers {
  /** Attention key. */
  readonly a: string;
  /** Revision of the screen on which the key was pressed; not with `y`. */
  readonly r?: number | undefined;
  /** The key was typed ahead, for the response to the last submit of this page. */
  readonly y?: 1 | undefined;
  /** Cursor address. */
  readonly u?: number | undefined;
  /** Modified fields by ID. */
  readonly f?: Readonly<Record<string, string>> | undefined;
  /** New session key, if any. */
  readonly s?: string | undefined;
  /** The key is pressed only if one of these screens is displayed. */
  readonly x?: ScreenChoice | undefined;
}

export interface SubmitMessage extends SubmitMembers {
  readonly k: 'k';
  readonly i: number;
}

/** Requests the remaining time; `y` restarts it because the user is present. */
interface TimeQuestion {
  readonly k: 'q';
  readonly y?: 1 | undefined;
}

/** A macro starts, or ends if the name `n` is missing. */
interface MacroMessage {
  readonly k: 'm';
  readonly n?: string | undefined;
}

/** Question `i` of a macro about the host: `LookQuestion`. */
export interface LookMessage {
  readonly k: 'x';
  readonly i: number;
  /** Milliseconds to wait for the host and for one of the screens. */
  readonly w?: number | undefined;
  readonly t?: number | undefined;
  readonly s?: ScreenChoice | undefined;
  /** Area to read. */
  readonly v?: Area | undefined;
}

/** Messages of pages (docs/write/screen-protocol.md). */
export type PageMessage = HelloMessage | SubmitMessage | TimeQuestion | MacroMessage | LookMessage;
