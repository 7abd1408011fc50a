import { type TransferKeyword, type TransferWords, transferKeywords } from '../transfer-keywords.js';
import { resourceInteger } from './resource.js';

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
