import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { aids, isShortRead } from './aid.js';
import { type AddressMode, addressModeFor, decodeBufferAddress } from './buffer-address.js';
import { orders } from './orders.js';
import { queryReplyCodes, structuredFields } from './structured-fields.js';

export interface InboundField {
  readonly address: number;
  /** Codes of the code page; SUB for each APL character. Omits Set Attribute. */
  readonly text: Uint8Array;
}

type DecodedRecord =
  | {
      readonly kind: 'read';
      readonly aid: number;
      readonly cursor: number | undefined;
      readonly fields: readonly InboundField[];
    }
  | { readonly kind: 'queryReplies'; readonly replies: ReadonlyMap<number, Uint8Array> }
  | { readonly kind: 'fault'; readonly reason: string };

/** Above the maximum of a screen of 160 by 62. */
const MOST_INBOUND_FIELDS = 5_000;

const SUBSTITUTE = 0x3f;

const UNFORMATTED = 0;

/**
 * Decodes attention identifier, cursor and modified fields, or query replies. Never throws.
 * @param positions size of the presentation space; addresses outside it are a fault
 */
export function decodeInboundRecord(record: Uint8Array, positions: number): DecodedRecord {
  const addressMode = addressModeFor(positions);
  const aid = record[0];
  if (aid === undefined) return fault('an empty record');
  if (aid === aids.structuredField) return decodeStructuredFields(record);
  if (record.length === 1) {
    return isShortRead(aid) || aid === aids.none
      ? { kind: 'read', aid, cursor: undefined, fields: [] }
      : fault('no cursor address');
  }
  if (record.length < 3) return fault('the cursor address is truncated');
  const cursor = decodeBufferAddress(record[1] as number, record[2] as number, addressMode);
  if (cursor >= positions) return fault(`the cursor is outside of ${positions} positions`);
  const fields = decodeFields(record, positions, addressMode);
  return fields.kind === 'fault' ? fault(fields.fault) : { kind: 'read', aid, cursor, fields: fields.value };
}

function decodeFields(record: Uint8Array, positions: number, mode: AddressMode): ReadOutcome<InboundField[]> {
  const fields: InboundField[] = [];
  let address = UNFORMATTED;
  let text: number[] = [];
  let inField = false;
  const close = () => {
    if (inField) fields.push({ address, text: Uint8Array.from(text) });
    text = [];
  };
  for (let at = 3; at < record.length; ) {
    const code = record[at] as number;
    if (code === orders.setBufferAddress) {
      if (at + 2 >= record.length) return readFault('Set Buffer Address is truncated');
      close();
      address = decodeBufferAddress(record[at + 1] as number, record[at + 2] as number, mode);
      if (address >= positions) return readFault(`address ${address} is outside of ${positions} positions`);
      if (fields.length >= MOST_INBOUND_FIELDS) return readFault(`more than ${MOST_INBOUND_FIELDS} fields`);
      inField = true;
      at += 3;
    } else if (code === orders.setAttribute) {
      at += 3;
    } else if (code === orders.graphicEscape) {
      if (at + 1 >= record.length) return readFault('Graphic Escape is truncated');
      inField = true;
      text.push(SUBSTITUTE);
      at += 2;
    } else {
      inField = true;
      text.push(code);
      at += 1;
    }
  }
  close();
  return readAs(fields);
}

/** Layout: length, identifier and, for a query reply, its code. Ignores other fields. */
function decodeStructuredFields(record: Uint8Array): DecodedRecord {
  const replies = new Map<number, Uint8Array>();
  for (let at = 1; at < record.length; ) {
    const given = at + 2 < record.length ? ((record[at] as number) << 8) | (record[at + 1] as number) : -1;
    const length = given === 0 ? record.length - at : given;
    if (length < 3 || at + length > record.length) return fault('a structured field of wrong length');
    if (record[at + 2] === structuredFields.queryReply && length >= 4) {
      replies.set(record[at + 3] as number, record.slice(at + 4, at + length));
    }
    at += length;
  }
  return { kind: 'queryReplies', replies };
}

function fault(reason: string): DecodedRecord {
  return { kind: 'fault', reason };
}

interface TerminalDescription {
  readonly rows: number;
  readonly columns: number;
  readonly color: boolean;
  readonly doubleByte: boolean;
  readonly graphicEscape: boolean;
  readonly transferBytes: number;
}

/** @returns undefined if the size is missing or not valid */
export function describeTerminal(replies: ReadonlyMap<number, Uint8Array>): TerminalDescription | undefined {
  const area = replies.get(queryReplyCodes.usableArea);
  if (area === undefined || area.length < 6) return undefined;
  const columns = ((area[2] as number) << 8) | (area[3] as number);
  const rows = ((area[4] as number) << 8) | (area[5] as number);
  if (rows < 24 || columns < 80 || rows * columns > 0xffff) return undefined;
  const sets = replies.get(queryReplyCodes.characterSets)?.[0] ?? 0;
  const colors = replies.get(queryReplyCodes.color);
  return {
    rows,
    columns,
    // the second pair maps blue to its displayed colour
    color: colors !== undefined && (colors[5] ?? 0) !== 0,
    doubleByte: (sets & 0x08) !== 0,
    graphicEscape: (sets & 0x80) !== 0,
    transferBytes: transferBytesOf(replies.get(queryReplyCodes.distributedDataManagement)),
  };
}

/** Two bytes of flags, then the inbound and outbound limits. */
function transferBytesOf(reply: Uint8Array | undefined): number {
  if (reply === undefined || reply.length < 6) return 0;
  const [inbound, outbound] = [2, 4].map((at) => ((reply[at] as number) << 8) | (reply[at + 1] as number));
  return Math.min(inbound ?? 0, outbound ?? 0);
}
