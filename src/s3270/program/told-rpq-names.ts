import { lookup } from 'node:dns/promises';
import type { Writable } from 'node:stream';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { readRpq, rpqAddressName, rpqNames } from '../rpq-names.js';
import type { Toggles } from '../toggles.js';
import { s3270Version } from './s3270-version.js';
import { lookupWords } from './system-error-words.js';

/** What hosts are told that ask for RPQ names, and what the user is told of it on standard error, each fault once. */
export class ToldRpqNames {
  readonly #toggles: Toggles;
  readonly #error: Writable;
  readonly #addresses = new Map<string, ReadOutcome<string>>();
  readonly #told = new Set<string>();

  constructor(toggles: Toggles, error: Writable) {
    this.#toggles = toggles;
    this.#error = error;
  }

  /** Looks the address up that hosts are to be told, where it is given as a name. */
  async lookUp(): Promise<void> {
    const name = rpqAddressName(this.#reading);
    if (name === undefined) return;
    const address = await lookup(name).then(
      ({ address: found }) => readAs(found),
      ({ code }: NodeJS.ErrnoException) => readFault(`RPQ: can't resolve '${name}': ${lookupWords(code ?? '')}`),
    );
    this.#addresses.set(name, address);
  }

  /** @param ownAddress of this machine, as the host sees it */
  reply(ownAddress: string | undefined): readonly number[] {
    const reading = this.#reading;
    const { bytes, faults } = rpqNames(reading, {
      ownAddress,
      addressOf: (name) => this.#addresses.get(name) ?? readFault(`RPQ: can't resolve '${name}': not looked up`),
      version: s3270Version().split(' ')[1]?.replace(/^v/, '') ?? '',
    });
    const isNew = (fault: string) => !this.#told.has(fault);
    const news = [...reading.faults, ...faults].filter(isNew);
    for (const fault of news) this.#told.add(fault);
    if (news.length > 0) this.#error.write(`\n${news.join('\n')}\n`);
    return bytes;
  }

  get #reading(): ReturnType<typeof readRpq> {
    return readRpq(this.#toggles.get('rpq'));
  }
}
