import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { textOfPages } from '../../src/tn3270/print/printed-page.js';
import { PrintJob } from '../../src/tn3270/printer/print-job.js';
import { randomFrom } from '../support/random.js';
import type { FuzzResult } from './engine-fuzz.js';
import { mutatedRecord } from './mutated-record.js';
import { processorMilliseconds } from './processor-time.js';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Records that make sense, to be made less so: every control of SCS, and every order. */
const scsSeeds = [
  '2bc1 08 50 01 50 0a 14 1e 28 c1 05 c2 05 c3 15 c1c2 0d c3 16 25',
  '2bc2 08 42 02 40 05 09 14 28 c1 0b c2 0b c3 0c c1 15 1e',
  '28 41f2 c1 28 42f3 c2 28 43f8 42c142c2 28 0000 08 a2 0e 42c1 0f c3',
  '35 03 1b5bc1 2bc6 02 06 2bc8 04 0000 24 c1 14 2f 34 c005 34 c408 34 c803 344c 02 04 81 00',
].map(bytes);
const dataStreamSeeds = [
  'f5 c8 1d60 c1c2 15 c3 0d c4 0c c5 19',
  'f5 f8 11 c150 1de8 c1 29 02 c0e0 42f2 c2 3c c16b 5c 28 41f4 c3 08 a2 05 13',
  'f1 d8 2c 02 c0e0 42f1 12 c150 0e 42c142c2 0f 1e 1c 3f',
  'f3 0009 40 00 f5c8 c1 15 19 0005 01 ff 02 0004 03 80 0007 09 00 02 4243',
  '6f',
  'f2',
].map(bytes);

/** Documents are torn off every so often, as jobs end. */
const RECORDS_OF_A_JOB = 50;

/** Mutated records through both printers. Throws where something throws, or what is printed is no text. */
export function fuzzPrinters(records: number, seed: number, until = Number.POSITIVE_INFINITY): FuzzResult {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const jobs = ['cp037', 'cp930', 'cp1388'].map((name) => {
    const codePage = findTerminalCodePage(name);
    if (codePage === undefined) throw new Error(`no code page ${name}`);
    return new PrintJob(codePage, () => undefined);
  });
  let faults = 0;
  let slowest = 0;
  let done = 0;
  for (; done < records && performance.now() < until; done++) {
    const job = pick(jobs);
    const isScs = random() < 0.5;
    const record = mutatedRecord(pick(isScs ? scsSeeds : dataStreamSeeds), random);
    const start = processorMilliseconds();
    const fault = (isScs ? job.scs : job.dataStream).print(record);
    if (fault !== undefined) faults++;
    if (done % RECORDS_OF_A_JOB === 0) {
      const text = textOfPages(job.end()?.pages ?? []);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      if (/[\x00-\x09\x0b\x0d-\x1f\x7f-\x9f]/.test(text)) throw new Error('a control character was printed');
    }
    slowest = Math.max(slowest, processorMilliseconds() - start);
  }
  return { records: done, faults, slowest };
}
