import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { type TransferKeyword, type TransferWords, transferKeywords } from '../transfer-keywords.js';

interface Resource {
  readonly name: string;
  /** The name as it stands there: it may begin with a capital. */
  readonly written: string;
  readonly value: string;
}

/** The name that resources begin with. */
export const PROGRAM = 's3270';
/** So much is told of what begins otherwise. */
const TOLD = `${PROGRAM}.`.length;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `s3270.name: value`, `*name: value`; the program may be called by another name, too. */
export function readResource(text: string, alias: string): ReadOutcome<Resource> {
  const names = alias === PROGRAM ? [PROGRAM] : [PROGRAM, alias];
  const start = [...names.flatMap((name) => [`${name}.`, `${name}*`]), '*'].find((known) => text.startsWith(known));
  if (start === undefined) {
    const beginnings = `'${PROGRAM}.', '*'${alias === PROGRAM ? '' : ` or '${alias}.'`}`;
    return readFault(` '${text.slice(0, TOLD)}', name must begin with ${beginnings}`);
  }
  const [, written = '', colon, value = ''] = /^([^\s:]*)\s*(:?)\s*([\s\S]*)$/.exec(text.slice(start.length)) ?? [];
  if (written === '') return readFault(', missing resource name');
  if (colon !== ':') return readFault(", missing ':'");
  return readAs({
    name: written.charAt(0).toLowerCase() + written.slice(1),
    written,
    value: value.replace(/\\([\s\S]?)/g, (_, escaped: string) => escapes[escaped] ?? escaped),
  });
}

const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;

/** An integer as C reads one: `10`, `-10`, `0xa`, `012`; nothing is 0. */
export function resourceInteger(text: string): number | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(0x[\da-f]+|0[0-7]*|[1-9]\d*)$/i.exec(text) ?? [];
  if (digits === '') return text === '' ? 0 : undefined;
  const size = /^0[0-7]/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  const value = sign === '-' ? 0 - size : size;
  return value >= LEAST && value <= MOST ? value : undefined;
}

/** In the order in which s3270 judges them. */
const keywords: Readonly<Record<string, TransferKeyword>> = {
  ftDirection: 'direction',
  ftHost: 'host',
  ftMode: 'mode',
  ftCr: 'cr',
  ftRemap: 'remap',
  ftExist: 'exist',
  ftRecfm: 'recfm',
  ftAllocation: 'allocation',
  ftHostFile: 'hostfile',
  ftLocalFile: 'localfile',
  ftLrecl: 'lrecl',
  ftBlksize: 'blksize',
  ftPrimarySpace: 'primaryspace',
  ftSecondarySpace: 'secondaryspace',
  ftAvblock: 'avblock',
};
/** Their words may be shortened, down to nothing: the first that begins so is meant. */
const shortened: ReadonlySet<string> = new Set(['ftHost', 'ftRecfm', 'ftAllocation']);
const numbers: ReadonlySet<string> = new Set([
  'ftLrecl',
  'ftBlksize',
  'ftPrimarySpace',
  'ftSecondarySpace',
  'ftAvblock',
]);

/** What resources say of transfers, for what `Transfer` is not told. */
export class TransferResources {
  readonly #values = new Map<string, string>();

  static has(name: string): boolean {
    return Object.hasOwn(keywords, name);
  }

  /** @returns what is wrong; words are judged at the end, when it is known which one holds */
  take(name: string, value: string): string | undefined {
    if (!numbers.has(name)) {
      this.#values.set(name, value);
      return undefined;
    }
    const number = resourceInteger(value);
    if (number === undefined) return `Invalid Integer value: ${value}`;
    // there is no length or space below 1: it is as if nobody had said one
    if (number >= 1) this.#values.set(name, String(number));
    else this.#values.delete(name);
    return undefined;
  }

  settle(): { readonly words: TransferWords; readonly warnings: readonly string[] } {
    const words: Partial<Record<TransferKeyword, string>> = {};
    const warnings: string[] = [];
    for (const [name, keyword] of Object.entries(keywords)) {
      const value = this.#values.get(name);
      if (value === undefined) continue;
      const folded = value.toLowerCase();
      const known = transferKeywords[keyword];
      const meant =
        typeof known === 'object'
          ? known.find((word) => (shortened.has(name) ? word.startsWith(folded) : word === folded))
          : value;
      if (meant === undefined) warnings.push(`Warning: Invalid ${name} '${value}', ignoring`);
      else words[keyword] = meant;
    }
    return { words, warnings };
  }
}
