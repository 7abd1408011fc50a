import { type ReadOutcome, readAs, readFault } from '../../read-outcome.js';

interface Resource {
  readonly name: string;
  /** The name as it stands there: it may begin with a capital. */
  readonly written: string;
  readonly value: string;
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `s3270.name: value`, `*name: value`; the program may be called by another name, too. */
export function readResource(text: string, alias: string): ReadOutcome<Resource> {
  const starts = [...['s3270', alias].flatMap((program) => [`${program}.`, `${program}*`]), '*'];
  const start = starts.find((known) => text.startsWith(known));
  // so much of it is told
  if (start === undefined)
    return readFault(` '${text.slice(0, alias.length + 1)}', name must begin with '${alias}.', '*'`);
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
