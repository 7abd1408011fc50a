import { aids } from './aid.js';
import { characterSets, colours, highlightings } from './attributes.js';
import { addressModeFor } from './buffer-address.js';
import { queryReplyCodes, replyModes, structuredFields } from './structured-fields.js';

export interface DeviceDescription {
  /** Alternate size, as after Erase/Write Alternate. */
  readonly rows: number;
  readonly columns: number;
  readonly defaultRows: number;
  readonly defaultColumns: number;
  readonly color: boolean;
  readonly codePage: number;
  /** Maximum record size of a file transfer in bytes; 0 without Distributed Data Management. */
  readonly transferBufferBytes: number;
  readonly tellsAbsentColours?: boolean | undefined;
  readonly rpqNames?: readonly number[] | undefined;
}

type Reply = (device: DeviceDescription) => readonly number[] | undefined;

/** In points. */
const CELL_WIDTH = 0x09;
const CELL_HEIGHT = 0x0c;
const NOTHING_MORE = 0x00;

/**
 * Replies by code (GA23-0059, chapter 6), in the order of transmission. Segments and several partitions are not
 * supported. The screen supports field validation and outlining but does not report them, because hosts would then send
 * data that few terminals accept. Hosts transfer files by structured fields if Distributed Data Management is reported,
 * else by screens.
 */
const replies: ReadonlyMap<number, Reply> = new Map<number, Reply>([
  [queryReplyCodes.summary, codesOf],
  [queryReplyCodes.usableArea, usableArea],
  [queryReplyCodes.alphanumericPartitions, ({ rows, columns }) => [0x00, ...twoBytes(rows * columns), 0x00]],
  [queryReplyCodes.characterSets, characterSetsReply],
  [queryReplyCodes.color, colorReply],
  [queryReplyCodes.highlighting, highlightingReply],
  [queryReplyCodes.replyModes, () => Object.values(replyModes)],
  [queryReplyCodes.dbcsAsia, dbcsAsia],
  [queryReplyCodes.distributedDataManagement, distributedDataManagement],
  [queryReplyCodes.rpqNames, rpqNames],
  [queryReplyCodes.implicitPartition, implicitPartition],
]);

/** Encodes AID 0x88 and one structured field per reply, or the Null reply if no requested reply is supported. */
export function encodeQueryReplies(device: DeviceDescription, requested: Uint8Array | 'all'): Uint8Array {
  if (requested !== 'all') return encodeReplies(device, requested);
  if (latest === undefined || !isSameDevice(latest.device, device)) {
    latest = { device, record: encodeReplies(device, codesOf(device)) };
  }
  return latest.record.slice();
}

/** Cache of one device: most sessions of a host are alike, and each is queried at its start. */
let latest: { readonly device: DeviceDescription; readonly record: Uint8Array } | undefined;

function isSameDevice(left: DeviceDescription, right: DeviceDescription): boolean {
  return (Object.keys(left) as Array<keyof DeviceDescription>).every((member) => left[member] === right[member]);
}

function encodeReplies(device: DeviceDescription, requested: ArrayLike<number>): Uint8Array {
  const asked = new Set(Array.from(requested));
  const codes = codesOf(device).filter((code) => asked.has(code));
  const fields = codes.flatMap((code) => encodeReply(code, replies.get(code)?.(device) ?? []));
  return Uint8Array.from([
    aids.structuredField,
    ...(fields.length > 0 ? fields : encodeReply(queryReplyCodes.null, [])),
  ]);
}

function codesOf(device: DeviceDescription): number[] {
  const { summary } = queryReplyCodes;
  return [...replies].filter(([code, reply]) => code === summary || reply(device) !== undefined).map(([code]) => code);
}

function encodeReply(code: number, body: readonly number[]): number[] {
  return [...twoBytes(body.length + 4), structuredFields.queryReply, code, ...body];
}

/** Addressing flags, size in cells, distance between points (0.0135 by 0.0180 mm), cell size, buffer size. */
function usableArea({ rows, columns }: DeviceDescription): number[] {
  return [
    addressModeFor(rows * columns) === 'binary' ? 0x03 : 0x01,
    0x00,
    ...twoBytes(columns),
    ...twoBytes(rows),
    0x01,
    ...[0x00, 0x0a, 0x02, 0xe5],
    ...[0x00, 0x02, 0x00, 0x6f],
    CELL_WIDTH,
    CELL_HEIGHT,
    ...twoBytes(rows * columns),
  ];
}

/** First byte: Graphic Escape, identifiers included and, with a double-byte set, cell sizes and subsets. */
function characterSetsReply({ codePage }: DeviceDescription): number[] {
  const { singleByte, doubleByte } = findCharacterSetIdentifiers(codePage);
  const cell = [0x00, CELL_WIDTH, CELL_HEIGHT, 0x00, 0x00, 0x00, 0x00];
  const apl = (0x03c3 << 16) | 0x0136;
  if (doubleByte === undefined) {
    return [0x82, ...cell, 0x07, 0x00, 0x10, 0x00, ...fourBytes(singleByte), 0x01, 0x00, 0xf1, ...fourBytes(apl)];
  }
  const noSubset = [0x00, 0x00, 0x00, 0x00];
  return [
    0x8e,
    ...cell,
    0x0b,
    ...[0x00, 0x00, 0x00, ...noSubset, ...fourBytes(singleByte)],
    ...[0x01, 0x00, characterSets.apl, ...noSubset, ...fourBytes(apl)],
    ...[0x80, 0x20, characterSets.doubleByte, CELL_WIDTH * 2, CELL_HEIGHT, 0x41, 0x7f, ...fourBytes(doubleByte)],
  ];
}

function colorReply({ color, tellsAbsentColours = false }: DeviceDescription): number[] | undefined {
  if (!color && !tellsAbsentColours) return undefined;
  const values = Object.values(colours).filter((value) => value > colours.neutralBlack);
  return [0x00, values.length + 1, 0x00, colours.green, ...values.flatMap((value) => [value, color ? value : 0x00])];
}

/** With a double-byte set: supports subfields by shift-out and shift-in, and input control. */
function dbcsAsia({ codePage }: DeviceDescription): number[] | undefined {
  if (findCharacterSetIdentifiers(codePage).doubleByte === undefined) return undefined;
  return [0x00, ...[0x03, 0x01, 0x80], ...[0x03, 0x02, 0x01]];
}

/** Inbound and outbound limits of a record, then the only subset. */
function distributedDataManagement({ transferBufferBytes }: DeviceDescription): number[] | undefined {
  if (transferBufferBytes === 0) return undefined;
  return [0x00, 0x00, ...twoBytes(transferBufferBytes), ...twoBytes(transferBufferBytes), 0x01, 0x01];
}

function highlightingReply(): number[] {
  const { normal, blink, reverse, underscore, intensify } = highlightings;
  const pairs = [0x00, normal, ...[blink, reverse, underscore, intensify].flatMap((value) => [value, value])];
  return [pairs.length / 2, ...pairs];
}

/** Empty device and model, then the length and the name in EBCDIC. */
function rpqNames({ rpqNames: given }: DeviceDescription): number[] {
  const name = [0xe2, 0x81, 0x93, 0x93, 0xa8, 0x97, 0x96, 0x99, 0xa3];
  return [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, ...(given ?? [name.length + 1, ...name])];
}

/** One self-defining parameter: default and alternate size. */
function implicitPartition({ rows, columns, defaultRows, defaultColumns }: DeviceDescription): number[] {
  const sizes = [defaultColumns, defaultRows, columns, rows].flatMap(twoBytes);
  return [0x00, 0x00, 0x0b, 0x01, NOTHING_MORE, ...sizes];
}

function twoBytes(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

function fourBytes(value: number): number[] {
  return [...twoBytes(value >>> 16), ...twoBytes(value)];
}

/** Global identifiers in the Character Sets reply: graphic character set << 16 | code page (IBM's registry). */
interface CharacterSetIdentifiers {
  readonly singleByte: number;
  readonly doubleByte: number | undefined;
}

const LATIN_1 = 697;
const LATIN_1_EURO = 695;

/** Pages with other sets than Latin 1: `[set, page]` and, for a mixed page, `[set, page]` of its double-byte half. */
const others: Readonly<Record<number, readonly [number, number, number?, number?]>> = {
  420: [235, 420],
  423: [218, 423],
  424: [941, 424],
  803: [1147, 803],
  870: [959, 870],
  875: [925, 875],
  880: [960, 880],
  905: [1286, 905],
  918: [1160, 918],
  930: [1172, 290, 370, 300],
  933: [1173, 833, 934, 834],
  935: [1174, 836, 1080, 837],
  937: [1175, 37, 935, 835],
  939: [1172, 1027, 370, 300],
  1025: [1150, 1025],
  1026: [1152, 1026],
  1097: [1219, 1097],
  1112: [1305, 1112],
  1122: [1307, 1122],
  1123: [1326, 1123],
  1130: [1336, 1130],
  1132: [1341, 1132],
  1137: [1468, 1137],
  1153: [1375, 1153],
  1154: [1381, 1154],
  1155: [1378, 1155],
  1156: [1393, 1156],
  1157: [1391, 1157],
  1158: [1388, 1158],
  1160: [1395, 1160],
  1164: [1397, 1164],
  1166: [1726, 1166],
  1364: [1173, 833, 934, 834],
  1371: [1175, 1159, 935, 835],
  1388: [1174, 836, 937, 837],
  1390: [1172, 290, 1001, 300],
  1399: [1172, 1027, 1001, 300],
};

/** @param page number of the code page; an unknown page is reported as Latin 1 */
export function findCharacterSetIdentifiers(page: number): CharacterSetIdentifiers {
  const isEuro = page >= 1140 && page <= 1149;
  const [set, number, doubleSet, doublePage] = others[page] ?? [isEuro ? LATIN_1_EURO : LATIN_1, page];
  return {
    singleByte: (set << 16) | number,
    doubleByte: doubleSet === undefined || doublePage === undefined ? undefined : (doubleSet << 16) | doublePage,
  };
}
