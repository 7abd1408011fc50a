import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { countStrokes, isForHost, keyNamed, MOST_STROKES, readStrokes } from '../tn3270/conversation/act.js';
import { attentionKeysByIdentifier } from '../tn3270/keyboard/attention-identifiers.js';

/** A part of the screen: `length` positions from one on or, with a height, so many of each of that many rows. */
export interface ScreenArea {
  readonly position: number;
  /** Undefined: only the start was given. */
  readonly length: number | undefined;
  readonly height: number | undefined;
}

/** One stroke of the keyboard: text, or a key by the name that operators know it under (`Tab`, `PF3`). */
export type ScreenStroke = { readonly text: string } | { readonly key: string };

/** What is written to a screen, under the keyboard's rules. */
interface ScreenWrite {
  /** Counts from 0, row by row. */
  readonly position: number;
  /** What does not fit into the field is cut off. */
  readonly text: string;
  /** Positions that it may take at most; undefined: as many as the field has. */
  readonly length: number | undefined;
  /** The field is emptied before. */
  readonly erasesField: boolean;
  /** Whether the cursor moves to the end of the text; otherwise it does not move. */
  readonly movesCursor: boolean;
}

/** What a scenario waits for behind a key. */
interface ScreenWait {
  /** The screen shows this text; undefined: any answer will do. */
  readonly text: string | undefined;
  /** Undefined: until the run is stopped. */
  readonly milliseconds: number | undefined;
  /** For an application that writes in several records: it has been quiet for so long. */
  readonly quietMilliseconds: number;
  readonly signal: StopSignal;
}

/** How an act on a host ended; whatever it is not `refused`, the strokes were carried out. */
export type ScreenActEnd =
  | { readonly kind: 'done' }
  /** The time of the wait is over. */
  | { readonly kind: 'timedOut' }
  /** The keyboard did not take it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The host sent a record that cannot be carried out. */
  | { readonly kind: 'faulty' }
  /** The host session is over. */
  | { readonly kind: 'gone' };

/** A host session as a scenario sees and works it. Positions count from 0, row by row. Nothing of it shows what is not displayed. */
export interface ScreenPort {
  /** Of the logical unit; undefined: the host gave it none. */
  readonly deviceName: string | undefined;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly fieldCount: number;
  /** Those that take input. */
  readonly inputFieldCount: number;
  /** Nothing is displayed. */
  readonly isBlank: boolean;
  /** There is no field. */
  readonly isUnformatted: boolean;
  /** The keyboard takes nothing (X SYSTEM and the like). */
  readonly isInhibited: boolean;
  /** Looks as it did when `noteLook` was called last. */
  readonly isUnmodified: boolean;
  noteLook(): void;
  /** What is displayed: blanks for field attributes, nulls and what is hidden. */
  textAt(position: number, length: number): string;
  /** The name in forms of the input field that a position is in; undefined if nothing can be typed. */
  fieldNameAt(position: number): string | undefined;
  /** @returns in words why nothing was written */
  write(write: ScreenWrite): string | undefined;
  /** Types strokes at a position, or at the cursor; behind one that goes to the host it waits. */
  act(strokes: readonly ScreenStroke[], at: number | undefined, wait: ScreenWait | undefined): Promise<ScreenActEnd>;
  /** Plays a connection script (reference 4.6). */
  playScript(
    script: string,
    signal: StopSignal,
  ): Promise<{ readonly kind: 'done' | 'gone' } | { readonly kind: 'wrong'; readonly reason: string }>;
}

/** Attention identifiers, as KEY= writes them in hexadecimal. */
const byIdentifier: ReadonlyMap<number, string> = new Map([...attentionKeysByIdentifier, [0xfd, 'Attn']]);

const HEXADECIMAL = /^(?:X'([0-9A-F]{2})'|([0-9A-F]{2}))$/i;

/** The key that goes to the host of `7D`, `X'7D'`, `ENTER` or `pf2`; undefined if it names none. */
export function hostKeyNamed(text: string): string | undefined {
  const [, quoted, bare] = HEXADECIMAL.exec(text) ?? [];
  const key = byIdentifier.get(Number.parseInt(quoted ?? bare ?? '', 16)) ?? keyNamed(text);
  return key !== undefined && isForHost(key) ? key : undefined;
}

export function goesToHost(stroke: ScreenStroke): boolean {
  return 'key' in stroke && isForHost(stroke.key);
}

/** Reads `[delete][tab]s[pf18]`: text, and keys in brackets; `[[` is a bracket. A key that goes to the host is the last. */
export function strokesOf(text: string): ReadOutcome<readonly ScreenStroke[]> {
  const read = readStrokes(text);
  if (read.kind === 'fault') return read;
  const strokes = read.value;
  if (countStrokes(strokes) > MOST_STROKES) return readFault(`it has more than ${MOST_STROKES} characters and keys`);
  const early = strokes.slice(0, -1).find(goesToHost);
  if (early !== undefined) return readFault(`what follows the key ${'key' in early ? early.key : ''} is never typed`);
  return readAs(strokes);
}
