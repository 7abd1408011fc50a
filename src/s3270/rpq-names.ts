import { isIP } from 'node:net';
import { findCodePage } from '../codepage/code-pages.js';

/** Identifiers of the terms behind the name. */
const terms = { address: 0, timestamp: 1, timezone: 2, user: 3, version: 4 } as const;
type Term = keyof typeof terms;

interface Reading {
  readonly wanted: ReadonlyMap<Term, string>;
  /** What is wrong, for the user. */
  readonly faults: readonly string[];
}

/** Where the terminal says that it is. */
interface RpqFacts {
  readonly address: string | undefined;
  readonly version: string;
}

/** The length of the reply has one byte, and counts itself. */
const MOST_BYTES = 254;
const NAME = 'x3270';
const addressFamilies = { 4: 2, 6: 10 } as const;

/**
 * Reads what the RPQ names reply is to tell: `ADDRESS[=…]:TIMESTAMP:TIMEZONE[=±hhmm]:USER=text:VERSION:ALL`, each with `NO` in
 * front to leave it out; a colon in a text stands behind a backslash.
 * Source: s3270 4.1, tried (X3270RPQ).
 */
export function readRpq(text: string): Reading {
  const wanted = new Map<Term, string>();
  const faults: string[] = [];
  for (const part of text.split(/(?<!\\):/)) {
    const [, written = '', value] = /^\s*([a-z]*)(?:=([\s\S]*))?/i.exec(part) ?? [];
    if (part.trim() === '') continue;
    const folded = written.toLowerCase();
    const isLeftOut = folded.startsWith('no');
    const name = isLeftOut ? folded.slice(2) : folded;
    const named = (Object.keys(terms) as Term[]).filter((term) => name.length > 0 && term.startsWith(name)).slice(0, 1);
    const all = name === 'all' && value === undefined ? (Object.keys(terms) as Term[]) : undefined;
    const found = all ?? named;
    if (found.length === 0) {
      faults.push(`RPQ term "${part.trim().toUpperCase()}" is unrecognized`);
      continue;
    }
    for (const term of found) {
      if (isLeftOut) wanted.delete(term);
      else if (all === undefined || !wanted.has(term)) wanted.set(term, (value ?? '').replace(/\\(.)/g, '$1'));
    }
  }
  const zone = wanted.get('timezone');
  if (zone !== undefined && zone !== '' && minutesOf(zone) === undefined) {
    faults.push('RPQ TIMEZONE term is invalid - use +/-hhmm');
    wanted.set('timezone', '');
  }
  const digits = wanted.get('user')?.match(/^0x([\s\S]*)$/i)?.[1];
  if (digits !== undefined && /[^0-9a-f]/i.test(digits)) {
    faults.push('RPQ USER term has non-hex character');
    wanted.delete('user');
  } else if (digits !== undefined && digits.length % 2 !== 0) {
    faults.push('RPQ USER term has odd number of hex digits');
    wanted.set('user', `0x0${digits}`);
  }
  return { wanted, faults };
}

/** The body of the reply behind device and model: the length, the name, and the terms. */
export function rpqNames({ wanted }: Reading, facts: RpqFacts): readonly number[] {
  const bytes = [...ebcdic(NAME)];
  for (const [term, value] of [...wanted].sort(([left], [right]) => terms[left] - terms[right])) {
    const room = MOST_BYTES - bytes.length - 2;
    // a user's text is cut off, and other terms are all or nothing
    const body = term === 'user' ? bodies.user(value, facts)?.slice(0, room) : bodies[term](value, facts);
    if (body === undefined || body.length === 0 || body.length > room) continue;
    bytes.push(body.length + 2, terms[term], ...body);
  }
  return [bytes.length + 1, ...bytes];
}

const bodies: Readonly<Record<Term, (value: string, facts: RpqFacts) => readonly number[] | undefined>> = {
  address: (value, facts) => addressBytes(value === '' ? facts.address : value),
  timestamp: () => timestamp(new Date()),
  timezone: (value) => twoBytes(minutesOf(value) ?? -new Date().getTimezoneOffset()),
  user: (value) => (value === '' ? undefined : userBytes(value)),
  version: (_, facts) => ebcdic(facts.version),
};

function addressBytes(address: string | undefined): readonly number[] | undefined {
  const family = isIP(address ?? '');
  if (address === undefined || family === 0) return undefined;
  if (family === 4) return [0, addressFamilies[4], ...address.split('.').map(Number)];
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  const between = new Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0');
  return [0, addressFamilies[6], ...[...before, ...between, ...after].flatMap((g) => twoBytes(Number.parseInt(g, 16)))];
}

/** `yyyymmddhhmmss`, two digits a byte. */
function timestamp(now: Date): readonly number[] {
  const digits = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return Array.from({ length: 7 }, (_, at) => Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16));
}

function minutesOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-]?)(\d{1,2})(\d{2})$/.exec(zone) ?? [];
  if (hours === undefined || Number(hours) > 12 || Number(minutes) > 59) return undefined;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

/** `0x` and digits are EBCDIC already. */
function userBytes(value: string): readonly number[] {
  const [, digits] = /^0x([0-9a-f]*)$/i.exec(value) ?? [];
  return digits === undefined ? ebcdic(value) : [...Buffer.from(digits, 'hex')];
}

function ebcdic(text: string): readonly number[] {
  return [...(findCodePage('IBM037')?.encode(text) ?? [])];
}

function twoBytes(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff];
}
