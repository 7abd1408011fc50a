import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import {
  CutDecoder,
  CutEncoder,
  dataFrame,
  readCutFrame,
  readSentData,
  sentData,
} from '../../src/tn3270/file-transfer/cut-frame.js';
import {
  dftReplyRecord,
  dftRequestBody,
  readDftReply,
  readDftRequest,
} from '../../src/tn3270/file-transfer/dft-frame.js';
import { TerminalTransfer } from '../../src/tn3270/file-transfer/terminal-transfer.js';
import { randomFrom } from '../support/random.js';
import type { FuzzResult } from './engine-fuzz.js';
import { mutatedRecord } from './mutated-record.js';
import { processorMilliseconds } from './processor-time.js';

const CUT_POSITIONS = 1_920;

const content = Uint8Array.from({ length: 300 }, (_, at) => (at * 7) & 0xff);
const characters = new CutEncoder().encode(content, 600).codes;
const SEQUENCE = 0x82;

const requests = [
  dftRequestBody({ kind: 'open', name: 'FT:DATA' }),
  dftRequestBody({ kind: 'open', name: 'FT:MSG' }),
  dftRequestBody({ kind: 'data', data: content }),
  dftRequestBody({ kind: 'get' }),
  dftRequestBody({ kind: 'insert' }),
  dftRequestBody({ kind: 'setCursor' }),
  dftRequestBody({ kind: 'close' }),
];
const replies = [
  dftReplyRecord({ kind: 'opened' }),
  dftReplyRecord({ kind: 'accepted', number: 70_000 }),
  dftReplyRecord({ kind: 'data', number: 1, data: content }),
  dftReplyRecord({ kind: 'endOfFile' }),
  dftReplyRecord({ kind: 'failed', request: 0x47 }),
];
const frames = [
  Uint8Array.of(0xc3, 0x81, 0x81, 0x81),
  Uint8Array.of(0xc3, 0x81, 0x81, 0x89),
  Uint8Array.of(0xc3, 0x81, 0x81, 0x94, 0xe3, 0xd9, 0x5b),
  Uint8Array.of(0xc2, 0x00, 0x40, SEQUENCE),
  dataFrame(SEQUENCE, characters),
];
const pages = ['cp037', 'cp939'].map((name) => {
  const page = findTerminalCodePage(name);
  if (page === undefined) throw new Error(`no code page ${name}`);
  return page;
});

/** Mutated requests, replies and frames through both decoders and the terminal's side. Throws where something throws. */
export function fuzzTransfers(records: number, seed: number, until = Number.POSITIVE_INFINITY): FuzzResult {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const begun = () =>
    new TerminalTransfer({
      file: random() < 0.5 ? content : undefined,
      rules: { text: random() < 0.5, lines: random() < 0.5, codePage: random() < 0.5 ? pick(pages) : undefined },
      mostBytes: 10_000,
      bufferBytes: pick([0, 1, 300, 16_384]),
      codePage: pick(pages),
    });
  let transfer = begun();
  let faults = 0;
  let slowest = 0;
  let done = 0;
  for (; done < records && performance.now() < until; done++) {
    if (transfer.end !== undefined || random() < 0.02) transfer = begun();
    const way = random();
    const start = processorMilliseconds();
    let isFault = false;
    if (way < 0.4) {
      const body = mutatedRecord(pick(requests), random);
      isFault = readDftRequest(body).kind === 'fault';
      transfer.structuredField(body);
    } else if (way < 0.6) {
      isFault = readDftReply(mutatedRecord(pick(replies), random)).kind === 'fault';
    } else if (way < 0.9) {
      const screen = new Uint8Array(CUT_POSITIONS);
      screen.set(mutatedRecord(pick(frames), random).subarray(0, CUT_POSITIONS));
      isFault = readCutFrame(screen).kind === 'fault';
      transfer.frame(screen);
    } else {
      const field = mutatedRecord(sentData(SEQUENCE, characters).codes, random);
      const read = readSentData(SEQUENCE, Uint8Array.of(0x40, ...field));
      isFault = read.kind === 'fault' || new CutDecoder().decode(read.value).kind === 'fault';
    }
    if (isFault) faults++;
    slowest = Math.max(slowest, processorMilliseconds() - start);
  }
  return { records: done, faults, slowest };
}
