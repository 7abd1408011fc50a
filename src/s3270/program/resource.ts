import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { type TransferKeyword, type TransferWords, transferKeywords } from '../transfer-keywords.js';

interface Resource {
  readonly name: string;
  readonly written: string;
  readonly value: string;
}

export const PROGRAM = 's3270';
const TOLD = `${PROGRAM}.`.length;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Reads `s3270.name: value` or `*name: value`. An alias of the program is also accepted as a prefix. */
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

/** Reads an integer as C does: `10`, `-10`, `0xa`, `012`. An empty text is 0. */
export function resourceInteger(text: string): number | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(0x[\da-f]+|0[0-7]*|[1-9]\d*)$/i.exec(text) ?? [];
  if (digits === '') return text === '' ? 0 : undefined;
  const size = /^0[0-7]/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  const value = sign === '-' ? 0 - size : size;
  return value >= LEAST && value <= MOST ? value : undefined;
}

/** In the order in which s3270 checks them. */
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
/** Resources whose values may be abbreviated, even to an empty text. The first matching value applies. */
const shortened: ReadonlySet<string> = new Set(['ftHost', 'ftRecfm', 'ftAllocation']);
const numbers: ReadonlySet<string> = new Set([
  'ftLrecl',
  'ftBlksize',
  'ftPrimarySpace',
  'ftSecondarySpace',
  'ftAvblock',
]);

export class TransferResources {
  readonly #values = new Map<string, string>();

  static has(name: string): boolean {
    return Object.hasOwn(keywords, name);
  }

  /** @returns a fault. Keywords are checked by `settle`, because later resources override earlier ones. */
  take(name: string, value: string): string | undefined {
    if (!numbers.has(name)) {
      this.#values.set(name, value);
      return undefined;
    }
    const number = resourceInteger(value);
    if (number === undefined) return `Invalid Integer value: ${value}`;
    // values below 1 restore the default
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
