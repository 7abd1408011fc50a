import { optionRequests, telnetOptions } from './telnet-codes.js';

/** Types of NEW-ENVIRON (RFC 1572). */
const variableTypes = { variable: 0, value: 1, escape: 2, userVariable: 3 } as const;

const needsEscape = (byte: number) => byte <= variableTypes.userVariable;

/** Well-known variables go as VAR, all others as USERVAR (RFC 1572, section 4). */
const wellKnown: ReadonlySet<string> = new Set(['USER', 'JOB', 'ACCT', 'PRINTER', 'SYSTEMTYPE', 'DISPLAY']);

/**
 * The answer to NEW-ENVIRON SEND: our variables that were requested, or all if none was named. Unknown ones are sent
 * without a value.
 * @param body the option, SEND, and the requested variables
 * @param byName variables that are told only where they are named
 * @returns the body of the subnegotiation to send
 */
export function answerEnvironmentRequest(
  body: Uint8Array,
  environment: ReadonlyMap<string, string>,
  byName: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  const asked = variablesAskedFor(body);
  const answer: number[] = [telnetOptions.newEnvironment, optionRequests.is];
  const names = asked.length > 0 ? asked : [...environment.keys()].map((name) => ({ type: typeOf(name), name }));
  for (const { type, name } of names) {
    // a type without a name requests all of that type
    const found = name === '' ? [...environment.keys()].filter((known) => typeOf(known) === type) : [name];
    for (const one of found) {
      // bytes that stand for no text go back as they came
      answer.push(type, ...escapedBytes(Uint8Array.from(one, (byte) => byte.charCodeAt(0))));
      // a variable that is asked for as one of the other type is none of ours
      const value = typeOf(one) === type ? (environment.get(one) ?? byName.get(one)) : undefined;
      if (value !== undefined) answer.push(variableTypes.value, ...escaped(value));
    }
  }
  return Uint8Array.from(answer);
}

/** Whether SEND has nothing behind it, or a type of variables: all else has no answer, as s3270 gives none. */
export function isEnvironmentRequest(body: Uint8Array): boolean {
  return body.length === 2 || body[2] === variableTypes.variable || body[2] === variableTypes.userVariable;
}

/** Whether the answer to NEW-ENVIRON SEND tells a variable of ours. */
export function asksForVariable(body: Uint8Array, wanted: string): boolean {
  const asked = variablesAskedFor(body);
  return (
    asked.length === 0 || asked.some(({ type, name }) => type === typeOf(wanted) && (name === '' || name === wanted))
  );
}

const typeOf = (name: string) => (wellKnown.has(name) ? variableTypes.variable : variableTypes.userVariable);

interface AskedVariable {
  readonly type: number;
  readonly name: string;
}

function variablesAskedFor(body: Uint8Array): AskedVariable[] {
  const asked: Array<{ type: number; name: string }> = [];
  for (let at = 2; at < body.length; at++) {
    const byte = body[at] as number;
    const last = asked.at(-1);
    if (byte === variableTypes.variable || byte === variableTypes.userVariable) asked.push({ type: byte, name: '' });
    else if (byte === variableTypes.escape && last !== undefined) last.name += String.fromCharCode(body[++at] ?? 0);
    else if (last !== undefined) last.name += String.fromCharCode(byte);
  }
  return asked;
}

function escaped(text: string): number[] {
  return escapedBytes(new TextEncoder().encode(text));
}

function escapedBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte) => (needsEscape(byte) ? [variableTypes.escape, byte] : [byte]));
}
