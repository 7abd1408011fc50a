import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Writable } from 'node:stream';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { findCodePage } from '../../tn3270/codepage/code-pages.js';
import type { Toggles } from '../toggles.js';
import { s3270Version } from './s3270-options.js';
import { lookupWords } from './system-error-words.js';

const terms = { address: 0, timestamp: 1, timezone: 2, user: 3, version: 4 } as const;
type Term = keyof typeof terms;

interface Reading {
  /** Terms to include, with their values; undefined: the actual value. */
  readonly wanted: ReadonlyMap<Term, string | undefined>;
  readonly faults: readonly string[];
}

interface RpqFacts {
  readonly ownAddress: string | undefined;
  readonly addressOf: (name: string) => ReadOutcome<string>;
  readonly version: string;
}

interface RpqReply {
  /** The reply after device and model: length, name and terms. */
  readonly bytes: readonly number[];
  readonly faults: readonly string[];
}

const withoutValue: ReadonlySet<Term> = new Set(['timestamp', 'version']);
/** Code for characters outside the code page. A user name with one of them is replaced by a question mark. */
const NOT_IN_CODE_PAGE = 0x3f;
const SUBSTITUTE = 0x6f;

/** The length of the reply is one byte and includes itself. */
const MOST_BYTES = 254;
const NAME = 'x3270';
const addressFamilies = { 4: 2, 6: 10 } as const;

/**
 * Reads the terms of the RPQ names reply: `ADDRESS[=…]:TIMESTAMP:TIMEZONE[=±hhmm]:USER=text:VERSION:ALL`. The prefix
 * `NO` omits a term. A backslash escapes a colon.
 * Source: s3270 4.1, verified (X3270RPQ).
 */
export function readRpq(text: string): Reading {
  const wanted = new Map<Term, string | undefined>();
  const faults: string[] = [];
  for (const part of text.split(/(?<!\\):/)) {
    const [, written = '', value] = /^\s*([a-z]*)(?:=([\s\S]*))?/i.exec(part) ?? [];
    if (part.trim() === '') continue;
    const folded = written.toLowerCase();
    const isLeftOut = folded.startsWith('no') && folded !== 'no';
    const name = isLeftOut ? folded.slice(2) : folded;
    const asked = part.trimStart().slice(isLeftOut ? 2 : 0);
    // ignore parts that do not start with a letter; a value without a name belongs to the first term
    if (asked !== '' && name === '' && value === undefined) continue;
    const named = (Object.keys(terms) as Term[]).filter((term) => term.startsWith(name)).slice(0, 1);
    const all = asked.toLowerCase() === 'all' ? (Object.keys(terms) as Term[]) : undefined;
    const found = all ?? (name === 'all' ? [] : named);
    if (found.length === 0) {
      faults.push(`RPQ term "${asked.toUpperCase()}" is unrecognized`);
      continue;
    }
    for (const term of found) {
      if (value !== undefined && withoutValue.has(term)) {
        faults.push(`RPQ ${term.toUpperCase()} term override ignored`);
      }
      if (isLeftOut) wanted.delete(term);
      else if (all === undefined || !wanted.has(term)) wanted.set(term, value?.replace(/\\(.)/g, '$1'));
    }
  }
  const hexadecimal = wanted
    .get('user')
    ?.match(/^0x([\s\S]*)$/i)?.[1]
    ?.replace(/\s/g, '');
  if (hexadecimal !== undefined) {
    const digits = /^[0-9a-f]*/i.exec(hexadecimal)?.[0] ?? '';
    if (digits.length < hexadecimal.length) faults.push('RPQ USER term has non-hex character');
    if (digits.length % 2 !== 0) faults.push('RPQ USER term has odd number of hex digits');
    wanted.set('user', digits === '' ? '' : `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`);
  }
  return { wanted, faults };
}

function rpqAddressName({ wanted }: Reading): string | undefined {
  const name = wanted.get('address') ?? '';
  return name === '' || isIP(name) !== 0 ? undefined : name;
}

export function rpqNames({ wanted }: Reading, facts: RpqFacts): RpqReply {
  const bytes = [...ebcdic(NAME)];
  const faults: string[] = [];
  for (const [term, value] of [...wanted].sort(([left], [right]) => terms[left] - terms[right])) {
    const told = bodies[term](value, facts);
    if (told.fault !== undefined) faults.push(told.fault);
    const room = MOST_BYTES - bytes.length - 2;
    // a user name is truncated; other terms are omitted if they do not fit
    const body = term === 'user' ? told.bytes.slice(0, Math.max(0, room)) : told.bytes;
    // s3270 reports truncated digits, but not truncated text
    if (body.length < told.bytes.length && /^0x/i.test(value ?? ''))
      faults.push(`RPQ USER term truncated after ${body.length} bytes`);
    if (body.length > room) faults.push(`RPQ ${term.toUpperCase()} term omitted due to insufficient space`);
    if (body.length === 0 || body.length > room) continue;
    bytes.push(body.length + 2, terms[term], ...body);
  }
  return { bytes: [bytes.length + 1, ...bytes], faults };
}

interface Body {
  readonly bytes: readonly number[];
  readonly fault?: string;
}

const bodies: Readonly<Record<Term, (value: string | undefined, facts: RpqFacts) => Body>> = {
  address: addressBody,
  timestamp: () => ({ bytes: timestamp(new Date()) }),
  timezone: (value = '') => zoneBody(value === '' ? -new Date().getTimezoneOffset() : minutesOf(value)),
  user: (value = '') => (value === '' ? { bytes: [] } : userBody(value)),
  version: (_, facts) => ({ bytes: ebcdic(facts.version) }),
};

function addressBody(value: string | undefined, { ownAddress, addressOf }: RpqFacts): Body {
  if (value === undefined || isIP(value) !== 0) return { bytes: addressBytes(value ?? ownAddress) };
  if (value === '') return { bytes: [], fault: "RPQ: can't resolve '': Name or service not known" };
  const address = addressOf(value);
  return address.kind === 'fault' ? { bytes: [], fault: address.fault } : { bytes: addressBytes(address.value) };
}

function addressBytes(address = ''): readonly number[] {
  const family = isIP(address);
  if (family === 0) return [];
  if (family === 4) return [0, addressFamilies[4], ...address.split('.').map(Number)];
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  const between = new Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0');
  return [0, addressFamilies[6], ...[...before, ...between, ...after].flatMap((g) => twoBytes(Number.parseInt(g, 16)))];
}

/** `yyyymmddhhmmss`, two digits in each byte. */
function timestamp(now: Date): readonly number[] {
  const digits = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return Array.from({ length: 7 }, (_, at) => Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16));
}

const MOST_MINUTES = 12 * 60;
/** Values sent by s3270 4.1 for an invalid time zone. */
const zoneFaults = { tooFar: 3, invalid: 4 } as const;

function zoneBody(minutes: number | undefined): Body {
  if (minutes === undefined) {
    return { bytes: twoBytes(zoneFaults.invalid), fault: 'RPQ TIMEZONE term is invalid - use +/-hhmm' };
  }
  return Math.abs(minutes) > MOST_MINUTES
    ? { bytes: twoBytes(zoneFaults.tooFar), fault: 'RPQ timezone exceeds 12 hour UTC offset' }
    : { bytes: twoBytes(minutes) };
}

function minutesOf(zone: string): number | undefined {
  const [, sign, digits] = /^([+-]?)(\d{1,4})$/.exec(zone) ?? [];
  const [hours, minutes] = [Math.floor(Number(digits) / 100), Number(digits) % 100];
  if (digits === undefined || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (sign === '-' ? -1 : 1);
}

/** Digits after `0x` are EBCDIC. */
function userBody(value: string): Body {
  const [, digits] = /^0x([0-9a-f]*)$/i.exec(value) ?? [];
  if (digits !== undefined) return { bytes: [...Buffer.from(digits, 'hex')] };
  const bytes = ebcdic(value);
  return bytes.includes(NOT_IN_CODE_PAGE)
    ? { bytes: [SUBSTITUTE], fault: 'RPQ USER term translation error' }
    : { bytes };
}

function ebcdic(text: string): readonly number[] {
  return [...(findCodePage('IBM037')?.encode(text) ?? [])];
}

function twoBytes(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff];
}

/** Answers queries for RPQ names and reports each fault once on standard error. */
export class ToldRpqNames {
  readonly #toggles: Toggles;
  readonly #error: Writable;
  readonly #addresses = new Map<string, ReadOutcome<string>>();
  readonly #told = new Set<string>();

  constructor(toggles: Toggles, error: Writable) {
    this.#toggles = toggles;
    this.#error = error;
  }

  async lookUp(): Promise<void> {
    const name = rpqAddressName(this.#reading);
    if (name === undefined) return;
    const address = await lookup(name).then(
      ({ address: found }) => readAs(found),
      ({ code }: NodeJS.ErrnoException) => readFault(`RPQ: can't resolve '${name}': ${lookupWords(code ?? '')}`),
    );
    this.#addresses.set(name, address);
  }

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
