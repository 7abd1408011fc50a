import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { askHidden } from '../ask.js';
import { printableText } from '../output.js';
import { RequestError } from '../request/http-exchange.js';
import {
  type Ask,
  asking,
  parsed,
  refusedRequest,
  type ServerOptions,
  shown,
  UsageError,
} from '../request/token-requests.js';

const MOST_GIVEN = 200;

/** Parses `NAME=VALUE` arguments. Faults do not contain a value. */
export function readGiven(words: readonly string[]): ReadOutcome<ReadonlyMap<string, string>> {
  if (words.length > MOST_GIVEN) return readFault(`expected at most ${MOST_GIVEN} parameters`);
  const given = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) return readFault('a parameter is malformed: expected NAME=VALUE');
    const name = word.slice(0, equals);
    if (given.has(name)) return readFault(`the parameter ${name} occurs more than once`);
    given.set(name, word.slice(equals + 1));
  }
  return readAs(given);
}

/** JSON value of a parameter. Only booleans cannot be sent as text. */
export function jsonValue({ type }: { readonly type: unknown }, text: string): string | boolean {
  if (type !== 'boolean' || (text !== 'true' && text !== 'false')) return text;
  return text === 'true';
}

export interface CallOptions extends ServerOptions {
  readonly ask: readonly string[];
  readonly idempotencyKey?: string;
}

const SERVICE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const ROOT = '/api/v1/';

export function listServices(options: ServerOptions): Promise<ExitCode> {
  return asking(options, ROOT, async (ask) => {
    const answer = await ask('services', { method: 'GET' });
    if (answer.status !== 200) return refusedRequest(answer);
    const { services } = Object(parsed(answer.text));
    if (!Array.isArray(services)) throw new RequestError('The answer is not a list of services.');
    for (const service of services) {
      const { name, description = '' } = Object(service);
      process.stdout.write(`${printableText(`${name}  ${description}`.trimEnd())}\n`);
    }
    return exitCodes.fine;
  });
}

export function callService(name: string, words: readonly string[], options: CallOptions): Promise<ExitCode> {
  return asking(options, ROOT, async (ask) => {
    if (!SERVICE.test(name)) throw new UsageError('the name of a service consists of letters, digits, - and _');
    const given = readGiven(words);
    if (given.kind === 'fault') throw new UsageError(given.fault);
    const texts = new Map(given.value);
    for (const secret of options.ask) texts.set(secret, await askHidden(`${secret}: `));
    const types = [...texts.values()].some((text) => /^(true|false)$/.test(text)) ? await typesOf(ask, name) : {};
    const members = [...texts].map(([key, text]) => [key, jsonValue({ type: types[key] }, text)]);
    const { idempotencyKey } = options;
    const answer = await ask(`services/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      body: JSON.stringify(Object.fromEntries(members)),
    });
    if (answer.status !== 200) return refusedRequest(answer);
    process.stdout.write(`${shown(answer.text)}\n`);
    return exitCodes.fine;
  });
}

async function typesOf(ask: Ask, name: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(`services/${name}`, { method: 'GET' });
  const { properties } = Object(Object(parsed(answer.text)).parameters);
  return Object.fromEntries(Object.entries(Object(properties)).map(([key, schema]) => [key, Object(schema).type]));
}
