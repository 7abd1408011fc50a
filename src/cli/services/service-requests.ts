import { readPemFile } from '../../config/read-pem-file.js';
import { askHidden, NoAnswerError } from '../ask.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { printableText } from '../printable-text.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { exchange, type HttpAnswer, RequestError } from '../request/http-exchange.js';
import { jsonValue, readGiven } from './given-parameters.js';

export interface ServerOptions {
  readonly server: string;
  readonly tokenFile?: string;
  readonly ca?: string;
  readonly timeout: number;
}

export interface CallOptions extends ServerOptions {
  readonly ask: readonly string[];
  readonly idempotencyKey?: string;
}

/** RFC 6750, section 2.1. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,256}$/;
const SERVICE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Something that the one who typed the command must change. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Lists the services of a server that the token may call. */
export function listServices(options: ServerOptions): Promise<ExitCode> {
  return asking(options, async (ask) => {
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
  return asking(options, async (ask) => {
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

type Ask = (
  path: string,
  request: {
    readonly method: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
) => Promise<HttpAnswer>;

async function asking(options: ServerOptions, work: (ask: Ask) => Promise<ExitCode>): Promise<ExitCode> {
  try {
    const base = serverOf(options.server);
    const token = await tokenOf(options);
    const settings = { timeoutMilliseconds: options.timeout * 1000, certificateAuthorities: authoritiesOf(options) };
    return await work((path, { method, headers = {}, ...rest }) => {
      const url = new URL(path, base);
      const all = { Accept: 'application/json', Authorization: `Bearer ${token}`, ...headers };
      return exchange(url, { method, headers: all, ...rest }, settings);
    });
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof NoAnswerError;
    if (!isUsage && !(error instanceof RequestError)) throw error;
    process.stderr.write(`${isUsage ? 'error' : 'Error'}: ${printableText(error.message)}\n`);
    return isUsage ? exitCodes.usageOrConfigurationWrong : exitCodes.workFailed;
  }
}

function serverOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    throw new UsageError('--server: expected http://HOST:PORT or https://HOST:PORT, without user and password');
  }
  return new URL('/api/v1/', url);
}

/** A token is in no option: others can read command lines. */
async function tokenOf({ tokenFile }: ServerOptions): Promise<string> {
  let token = process.env.SALLYPORT_TOKEN ?? '';
  if (tokenFile !== undefined) {
    try {
      token = (await readBoundedFile(tokenFile)).trim();
    } catch (error) {
      throw new UsageError(`--token-file: ${(error as Error).message}`);
    }
  }
  if (token === '') throw new UsageError('there is no token: set SALLYPORT_TOKEN, or name a file with --token-file');
  if (!TOKEN.test(token)) throw new UsageError('the token has characters that no token has');
  return token;
}

function authoritiesOf({ ca }: ServerOptions): string | undefined {
  if (ca === undefined) return undefined;
  try {
    return readPemFile(ca).toString();
  } catch {
    throw new UsageError(`--ca: the file ${ca} cannot be read`);
  }
}

function refused({ status, reason, text }: HttpAnswer): ExitCode {
  process.stderr.write(`HTTP ${status} ${printableText(reason)}\n${shown(text)}\n`);
  return exitCodes.workFailed;
}

/** Indented, where it is JSON. */
function shown(text: string): string {
  const value = parsed(text);
  return printableText(value === undefined ? text : JSON.stringify(value, undefined, 2));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
