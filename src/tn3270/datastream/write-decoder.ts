import { decodeBufferAddress } from './buffer-address.js';
import type { DataStreamFault, WriteCommand, WriteFault, WriteHandler } from './data-stream-handler.js';
import { formatControls, orders } from './orders.js';
import { programChecks } from './program-checks.js';

/** Codes below 0x40 that stand in a character position; every other one is an order, or reserved. */
const standsForCharacter = new Uint8Array(256).fill(1, 0x40);
for (const code of Object.values(formatControls)) standsForCharacter[code] = 1;

/**
 * Carries out Write, Erase/Write or Erase/Write Alternate. Layout: command, write control character, then orders and text.
 * @param start index of the command in the record
 * @param end index after the last byte
 * @returns the fault that stopped it; what came before the fault has been handed to the handler
 */
export function decodeWrite(
  command: WriteCommand,
  record: Uint8Array,
  start: number,
  end: number,
  handler: WriteHandler,
): DataStreamFault | undefined {
  if (end - start < 2) {
    const programCheck = programChecks.missingParameter;
    return { sense: 'commandReject', programCheck, reason: 'no write control character', offset: start };
  }
  handler.beginWrite(command, record[start + 1] as number);
  let at = start + 2;
  while (at < end) {
    const code = record[at] as number;
    if (standsForCharacter[code] === 1) {
      const from = at;
      do at++;
      while (at < end && standsForCharacter[record[at] as number] === 1);
      const found = handler.text(record, from, at);
      if (found !== undefined) return fault(from, found);
      continue;
    }
    const order = orderDecoders[code];
    if (order === undefined) {
      // reserved codes are ignored, as by the terminals that hosts were tested with
      at++;
      continue;
    }
    const next = order(record, at, end, handler);
    if (typeof next !== 'number') return next;
    at = next;
  }
  const found = handler.endWrite();
  return found === undefined ? undefined : { ...fault(end, found), drawn: true };
}

/** Returns the index after the order, or what is wrong with it. */
type OrderDecoder = (record: Uint8Array, at: number, end: number, handler: WriteHandler) => number | DataStreamFault;

const orderDecoders: Array<OrderDecoder | undefined> = new Array<OrderDecoder | undefined>(256).fill(undefined);

/** SBA: two bytes of address. */
orderDecoders[orders.setBufferAddress] = (record, at, end, handler) => {
  const address = addressAt(record, at + 1, end, handler);
  if (typeof address !== 'number') return address;
  handler.setBufferAddress(address);
  return at + 3;
};

/** SF: one byte of field attribute. */
orderDecoders[orders.startField] = (record, at, end, handler) => {
  if (at + 1 >= end) return truncated(at, 'Start Field');
  handler.startField(record[at + 1] as number);
  return at + 2;
};

/** SFE: count, then that many pairs. */
orderDecoders[orders.startFieldExtended] = (record, at, end, handler) => {
  const pairs = pairsAt(record, at, end, 'Start Field Extended');
  if ('sense' in pairs) return pairs;
  handler.startFieldExtended(pairs);
  return pairs.start + 2 * pairs.count;
};

/** MF: count, then that many pairs. */
orderDecoders[orders.modifyField] = (record, at, end, handler) => {
  const pairs = pairsAt(record, at, end, 'Modify Field');
  if ('sense' in pairs) return pairs;
  handler.modifyField(pairs);
  return pairs.start + 2 * pairs.count;
};

/** SA: one pair. */
orderDecoders[orders.setAttribute] = (record, at, end, handler) => {
  if (at + 2 >= end) return truncated(at, 'Set Attribute');
  handler.setAttribute(record[at + 1] as number, record[at + 2] as number);
  return at + 3;
};

orderDecoders[orders.insertCursor] = (_record, at, _end, handler) => {
  handler.insertCursor();
  return at + 1;
};

orderDecoders[orders.programTab] = (_record, at, _end, handler) => {
  const found = handler.programTab();
  return found === undefined ? at + 1 : fault(at, found);
};

/** RA: two bytes of address, then a character: one byte, or GE and one byte, or two bytes where the position is double-byte. */
orderDecoders[orders.repeatToAddress] = (record, at, end, handler) => {
  if (at + 3 >= end) return truncated(at, 'Repeat to Address');
  const stop = addressAt(record, at + 1, end, handler);
  if (typeof stop !== 'number') return stop;
  let last = at + 3;
  const graphicEscape = record[last] === orders.graphicEscape;
  if (graphicEscape) last++;
  const first = last;
  const doubleByte = !graphicEscape && handler.takesDoubleByte();
  if (doubleByte) last++;
  if (last >= end) return truncated(at, 'Repeat to Address');
  const second = doubleByte ? (record[last] as number) : undefined;
  const found = handler.repeatToAddress(stop, record[first] as number, second, graphicEscape);
  return found === undefined ? last + 1 : fault(at, found);
};

/** EUA: two bytes of address. */
orderDecoders[orders.eraseUnprotectedToAddress] = (record, at, end, handler) => {
  const stop = addressAt(record, at + 1, end, handler);
  if (typeof stop !== 'number') return stop;
  const found = handler.eraseUnprotectedToAddress(stop);
  return found === undefined ? at + 3 : fault(at, found);
};

/** GE: one byte of the alternate character set. */
orderDecoders[orders.graphicEscape] = (record, at, end, handler) => {
  if (at + 1 >= end) return truncated(at, 'Graphic Escape');
  const found = handler.graphicEscape(record[at + 1] as number);
  return found === undefined ? at + 2 : fault(at, found);
};

function addressAt(record: Uint8Array, at: number, end: number, handler: WriteHandler): number | DataStreamFault {
  if (at + 1 >= end) return truncated(at - 1, 'buffer address');
  const address = decodeBufferAddress(record[at] as number, record[at + 1] as number, handler.addressMode);
  if (address < handler.positions) return address;
  const reason = `address ${address} is outside of ${handler.positions} positions`;
  return fault(at, { programCheck: programChecks.address, reason });
}

function pairsAt(record: Uint8Array, at: number, end: number, order: string) {
  if (at + 1 >= end) return truncated(at, order);
  const count = record[at + 1] as number;
  if (at + 2 + 2 * count > end) return truncated(at, order);
  return { record, start: at + 2, count };
}

function truncated(offset: number, what: string): DataStreamFault {
  return fault(offset, { programCheck: programChecks.missingParameter, reason: `${what} is cut short` });
}

function fault(offset: number, found: WriteFault): DataStreamFault {
  return { sense: 'operationCheck', ...found, offset };
}
