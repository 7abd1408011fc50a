import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { countStrokes, isForHost, keyNamed, MOST_STROKES, readStrokes } from '../tn3270/conversation/act.js';
import { attentionKeysByIdentifier } from '../tn3270/keyboard/attention-keys.js';
import type { PositionEntry } from '../tn3270/screen/form-entry.js';

/** Part of the screen: `length` positions from `position`; with a height, the same columns of that many rows. */
export interface ScreenRegion {
  readonly position: number;
  readonly length: number | undefined;
  readonly height: number | undefined;
}

/** Text or a key by name (`Tab`, `PF3`). */
export type ScreenStroke = { readonly text: string } | { readonly key: string };

interface ScreenWrite extends Omit<PositionEntry, 'address'> {
  /** From 0, row by row. */
  readonly position: number;
}

interface ScreenWait {
  /** Text on the screen; undefined: any response. */
  readonly text: string | undefined;
  readonly milliseconds: number | undefined;
  /** Time without output after which the response of an application that writes several records is complete. */
  readonly quietMilliseconds: number;
  readonly signal: StopSignal;
}

/** Result of `act`. Unless it is `refused`, the strokes were processed. */
export type ScreenActEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'faulty' }
  | { readonly kind: 'gone' };

/** A host session for a scenario. Positions count from 0, row by row. Nondisplay fields are never exposed. */
export interface ScenarioScreen {
  readonly deviceName: string | undefined;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly fieldCount: number;
  readonly inputFieldCount: number;
  readonly isBlank: boolean;
  readonly isUnformatted: boolean;
  readonly isInhibited: boolean;
  /** The screen is unchanged since the last call of `noteLook`. */
  readonly isUnmodified: boolean;
  noteLook(): void;
  /** Displayed text, with blanks for field attributes, nulls and nondisplay fields. */
  textAt(position: number, length: number): string;
  /** Form field name of the input field at a position; undefined for a position without input. */
  fieldNameAt(position: number): string | undefined;
  /** @returns the reason for a rejection; undefined on success */
  write(write: ScreenWrite): string | undefined;
  /** Types strokes at a position, or at the cursor, and waits after a host key. */
  act(strokes: readonly ScreenStroke[], at: number | undefined, wait: ScreenWait | undefined): Promise<ScreenActEnd>;
  /** Runs a connection script (reference 4.6). */
  playScript(
    script: string,
    signal: StopSignal,
  ): Promise<{ readonly kind: 'done' | 'gone' } | { readonly kind: 'wrong'; readonly reason: string }>;
}

const byIdentifier: ReadonlyMap<number, string> = new Map([...attentionKeysByIdentifier, [0xfd, 'Attn']]);

const HEXADECIMAL = /^(?:X'([0-9A-F]{2})'|([0-9A-F]{2}))$/i;

/** Returns the host key for `7D`, `X'7D'`, `ENTER` or `pf2`; undefined for any other text. */
export function hostKeyNamed(text: string): string | undefined {
  const [, quoted, bare] = HEXADECIMAL.exec(text) ?? [];
  const key = byIdentifier.get(Number.parseInt(quoted ?? bare ?? '', 16)) ?? keyNamed(text);
  return key !== undefined && isForHost(key) ? key : undefined;
}

export function goesToHost(stroke: ScreenStroke): boolean {
  return 'key' in stroke && isForHost(stroke.key);
}

/** Reads `[delete][tab]s[pf18]`: text, with keys in brackets; `[[` is a bracket. A host key must be the last stroke. */
export function strokesOf(text: string): ReadOutcome<readonly ScreenStroke[]> {
  const read = readStrokes(text);
  if (read.kind === 'fault') return read;
  const strokes = read.value;
  if (countStrokes(strokes) > MOST_STROKES) return readFault(`it has more than ${MOST_STROKES} characters and keys`);
  const early = strokes.slice(0, -1).find(goesToHost);
  if (early !== undefined) return readFault(`text after the key ${'key' in early ? early.key : ''} is never typed`);
  return readAs(strokes);
}
