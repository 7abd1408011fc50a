import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { askHidden } from '../ask.js';
import { printableText } from '../printable-text.js';
import { RequestError } from '../request/http-exchange.js';
import { type Ask, asking, parsed, refused, type ServerOptions, shown, UsageError } from '../request/token-requests.js';
import { jsonValue, readGiven } from './given-parameters.js';

export interface CallOptions extends ServerOptions {
  readonly ask: readonly string[];
  readonly idempotencyKey?: string;
}

const SERVICE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const ROOT = '/api/v1/';

/** Lists the services of a server that the token may call. */
export function listServices(options: ServerOptions): Promise<ExitCode> {
  return asking(options, ROOT, async (ask) => {
    const answer = await ask('services', { method: 'GET' });
    if (answer.status !== 200) return refused(answer);
    const { services } = Object(parsed(answer.text));
    if (!Array.isArray(services)) throw new RequestError('The answer is no list of services.');
    for (const service of services) {
      const { name, description = '' } = Object(service);
      process.stdout.write(`${printableText(`${name}  ${description}`.trimEnd())}\n`);
    }
    return exitCodes.fine;
  });
}

/** Calls a service and prints its answer. */
export function callService(name: string, words: readonly string[], options: CallOptions): Promise<ExitCode> {
  return asking(options, ROOT, async (ask) => {
    if (!SERVICE.test(name)) throw new UsageError('the name of a service has letters, digits, - and _');
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
    if (answer.status !== 200) return refused(answer);
    process.stdout.write(`${shown(answer.text)}\n`);
    return exitCodes.fine;
  });
}

/** JSON has true and false apart from texts: which is meant, the service says. */
async function typesOf(ask: Ask, name: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(`services/${name}`, { method: 'GET' });
  const { properties } = Object(Object(parsed(answer.text)).parameters);
  return Object.fromEntries(Object.entries(Object(properties)).map(([key, schema]) => [key, Object(schema).type]));
}
