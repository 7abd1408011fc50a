import type { LockCode } from './lock-code.js';
import { RIGHT_HALF_SIGN } from './right-half.js';
import type { FieldTuple, RunTuple, ScreenMessage, TextPiece } from './server-message.js';

/** A field as the server tells it. */
export interface ReceivedField {
  /** Of the field attribute. */
  readonly address: number;
  readonly length: number;
  readonly attribute: number;
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
  readonly validation: number;
}

/** Characters side by side that have attributes of their own. */
export interface ReceivedRun {
  readonly address: number;
  readonly length: number;
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
}

/** The screen of the host as its messages tell it, at one revision. */
export interface ReceivedScreen {
  readonly revision: number;
  readonly rows: number;
  readonly columns: number;
  readonly cursor: number;
  readonly lock: LockCode;
  readonly alarms: number;
  readonly notice: string;
  /** A character a position, '' for the right half of a double-byte one. */
  readonly cells: readonly string[];
  readonly fields: readonly ReceivedField[];
  readonly runs: readonly ReceivedRun[];
}

/** @returns undefined where the message is a change of another revision than the one before */
export function receivedScreen(before: ReceivedScreen | undefined, message: ScreenMessage): ReceivedScreen | undefined {
  if (message.k === 's') {
    const positions = message.n * message.c;
    return {
      revision: message.r,
      rows: message.n,
      columns: message.c,
      cursor: message.u,
      lock: message.l,
      alarms: message.g ?? 0,
      notice: message.o ?? '',
      cells: withPieces(new Array<string>(positions).fill(' '), message.t),
      fields: fieldsOf(message.f ?? [], positions),
      runs: (message.x ?? []).map(runOf),
    };
  }
  if (before === undefined || message.b !== before.revision) return undefined;
  return {
    ...before,
    revision: message.r,
    cursor: message.u,
    lock: message.l,
    alarms: message.g ?? before.alarms,
    notice: message.o ?? before.notice,
    cells: message.t === undefined ? before.cells : withPieces([...before.cells], message.t),
    fields: message.f === undefined ? before.fields : fieldsOf(message.f, before.cells.length),
    runs: message.x === undefined ? before.runs : message.x.map(runOf),
  };
}

function withPieces(cells: string[], pieces: readonly TextPiece[] = []): string[] {
  for (const [address, text] of pieces) {
    for (let offset = 0; offset < text.length && address + offset < cells.length; offset++) {
      const cell = text[offset] as string;
      cells[address + offset] = cell === RIGHT_HALF_SIGN ? '' : cell;
    }
  }
  return cells;
}

function fieldsOf(tuples: readonly FieldTuple[], positions: number): ReceivedField[] {
  return tuples.map(([address, attribute = 0, colour = 0, highlighting = 0, background = 0, validation = 0], index) => {
    const following = (tuples[index + 1] ?? tuples[0])?.[0] as number;
    const length = tuples.length === 1 ? positions - 1 : (following - address - 1 + positions) % positions;
    return { address, length, attribute, colour, highlighting, background, validation };
  });
}

function runOf([address, length, colour = 0, highlighting = 0, background = 0]: RunTuple): ReceivedRun {
  return { address, length, colour, highlighting, background };
}
