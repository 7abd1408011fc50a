import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

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
