import { printable } from '../../lib/text/characters.js';
import type { CodePage } from '../codepage/code-page.js';
import { aids } from '../datastream/aid.js';
import { attributeTypes } from '../datastream/attributes.js';
import { addressModeFor, decodeBufferAddress } from '../datastream/buffer-address.js';
import { type Command, findCommand } from '../datastream/commands.js';
import { isNonDisplayable, isNumeric, isProtected } from '../datastream/field-attribute.js';
import { isCharacter, orders, SPACE } from '../datastream/orders.js';

interface Reading {
  readonly columns: number;
  readonly positions: number;
  readonly codePage: CodePage;
}

/** Rows for one record. The rest is omitted, with a note. */
const MOST_ROWS = 400;
const ROW_CHARACTERS = 100;

const commandWords: Readonly<Record<Command, string>> = {
  write: 'Write',
  eraseWrite: 'EraseWrite',
  eraseWriteAlternate: 'EraseWriteAlternate',
  eraseAllUnprotected: 'EraseAllUnprotected',
  readBuffer: 'ReadBuffer',
  readModified: 'ReadModified',
  readModifiedAll: 'ReadModifiedAll',
  writeStructuredField: 'WriteStructuredField',
  noOperation: 'NoOperation',
};

const aidWords: ReadonlyMap<number, string> = new Map(Object.entries(aids).map(([name, code]) => [code, name]));

/** Describes a record of the host in the order of its bytes: `EraseWrite(c3) SBA(1,2) SF(protected) 'text'`. */
export function outboundText(record: Uint8Array, reading: Reading): readonly string[] {
  const command = record[0] === undefined ? undefined : findCommand(record[0]);
  if (command === undefined) return [`no command: ${hex(record.subarray(0, 1))}`];
  const rows = new Rows(commandWords[command] + (isWrite(command) ? `(${hex(record.subarray(1, 2))})` : ''));
  if (isWrite(command)) writeOrders(record, 2, reading, rows);
  return rows.all;
}

/** Describes a record of the terminal: `enter at (1,2): (3,4) 'text'`. */
export function inboundText(record: Uint8Array, reading: Reading): readonly string[] {
  const [aid] = record;
  if (aid === undefined) return [];
  if (aid === aids.structuredField) return ['structured fields'];
  const cursor = record.length < 3 ? '' : ` at ${placeOf(record, 1, reading)}`;
  const rows = new Rows(`${aidWords.get(aid) ?? `attention identifier ${hex(record.subarray(0, 1))}`}${cursor}`);
  writeOrders(record, 3, reading, rows);
  return rows.all;
}

function isWrite(command: Command): boolean {
  return command === 'write' || command === 'eraseWrite' || command === 'eraseWriteAlternate';
}

function writeOrders(record: Uint8Array, start: number, reading: Reading, rows: Rows): void {
  for (let at = start; at < record.length && !rows.isFull; ) at = writeOrder(record, at, reading, rows);
}

function writeOrder(record: Uint8Array, at: number, reading: Reading, rows: Rows): number {
  const code = record[at] as number;
  const second = record[at + 1] ?? 0;
  switch (code) {
    case orders.setBufferAddress:
    case orders.eraseUnprotectedToAddress:
      rows.add(`${code === orders.setBufferAddress ? 'SBA' : 'EUA'}${placeOf(record, at + 1, reading)}`);
      return at + 3;
    case orders.startField:
      rows.add(`SF(${attributeText(second)})`);
      return at + 2;
    case orders.startFieldExtended:
    case orders.modifyField: {
      const end = at + 2 + 2 * second;
      rows.add(`${code === orders.modifyField ? 'MF' : 'SFE'}(${pairsText(record.subarray(at + 2, end))})`);
      return end;
    }
    case orders.setAttribute:
      rows.add(`SA(${hex(record.subarray(at + 1, at + 2))} ${hex(record.subarray(at + 2, at + 3))})`);
      return at + 3;
    case orders.insertCursor:
      rows.add('IC');
      return at + 1;
    case orders.programTab:
      rows.add('PT');
      return at + 1;
    case orders.repeatToAddress: {
      const code = at + 3 + (record[at + 3] === orders.graphicEscape ? 1 : 0);
      rows.add(`RA${placeOf(record, at + 1, reading)} ${decodedText(record.subarray(code, code + 1), reading)}`);
      return code + 1;
    }
    case orders.graphicEscape:
      rows.add(`GE(${hex(record.subarray(at + 1, at + 2))})`);
      return at + 2;
    default: {
      if (!isCharacter(code)) {
        rows.add(hex(record.subarray(at, at + 1)));
        return at + 1;
      }
      let end = at + 1;
      while (end < record.length && isCharacter(record[end] as number)) end += 1;
      rows.add(decodedText(record.subarray(at, end), reading));
      return end;
    }
  }
}

function placeOf(record: Uint8Array, at: number, { positions, columns }: Reading): string {
  const address = decodeBufferAddress(record[at] ?? 0, record[at + 1] ?? 0, addressModeFor(positions));
  return `(${Math.floor(address / columns) + 1},${(address % columns) + 1})`;
}

function pairsText(pairs: Uint8Array): string {
  const words: string[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const value = pairs[at + 1] as number;
    const isField = pairs[at] === attributeTypes.field;
    words.push(
      isField ? attributeText(value) : `${hex(pairs.subarray(at, at + 1))} ${hex(pairs.subarray(at + 1, at + 2))}`,
    );
  }
  return words.join(', ');
}

function attributeText(attribute: number): string {
  const words = [
    isProtected(attribute) ? 'protected' : 'unprotected',
    isNumeric(attribute) ? 'numeric' : '',
    isNonDisplayable(attribute) ? 'non-displayable' : '',
  ];
  return words.filter(Boolean).join(' ');
}

function decodedText(bytes: Uint8Array, { codePage }: Reading): string {
  return `'${printable(codePage.decode(bytes.map((code) => (code < SPACE ? SPACE : code))))}'`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

class Rows {
  readonly all: string[];

  constructor(first: string) {
    this.all = [first];
  }

  get isFull(): boolean {
    return this.all.length > MOST_ROWS;
  }

  add(word: string): void {
    const last = this.all.length - 1;
    const row = this.all[last] as string;
    if (row.length + word.length < ROW_CHARACTERS) this.all[last] = `${row} ${word}`;
    else this.all.push(this.isFull ? '… (the rest is left out)' : `  ${word}`);
  }
}
