import { readPemFile } from '../../config/read-pem-file.js';
import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { NoAnswerError } from '../ask.js';
import { printableText } from '../output.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { exchange, type HttpAnswer, RequestError } from './http-exchange.js';

export interface ServerOptions {
  readonly server: string;
  readonly tokenFile?: string;
  readonly ca?: string;
  readonly timeout: number;
}

/** RFC 6750, section 2.1. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,256}$/;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Ask = (
  path: string,
  request: {
    readonly method: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly mostBytes?: number;
  },
) => Promise<HttpAnswer>;

/** Runs `work` with a function for requests below `root` with the token of the options. Prints errors. */
export async function asking(
  options: ServerOptions,
  root: string,
  work: (ask: Ask) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const base = new URL(root, serverOf(options.server));
    const token = await tokenOf(options);
    const settings = {
      timeoutMilliseconds: options.timeout * 1000,
      certificateAuthorities: readAuthorities(options.ca),
    };
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
  return url;
}

/** The token is never an option, because other users can read command lines. */
async function tokenOf({ tokenFile }: ServerOptions): Promise<string> {
  let token = process.env.SALLYPORT_TOKEN ?? '';
  if (tokenFile !== undefined) {
    try {
      token = (await readBoundedFile(tokenFile)).trim();
    } catch (error) {
      throw new UsageError(`--token-file: ${(error as Error).message}`);
    }
  }
  if (token === '') throw new UsageError('no token was given: set SALLYPORT_TOKEN, or name a file with --token-file');
  if (!TOKEN.test(token)) throw new UsageError('the token contains invalid characters');
  return token;
}

/** @throws UsageError */
export function readAuthorities(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readPemFile(file).toString();
  } catch {
    throw new UsageError(`--ca: the file ${file} cannot be read`);
  }
}

export function refusedRequest({ status, reason, text }: HttpAnswer): ExitCode {
  process.stderr.write(`HTTP ${status} ${printableText(reason)}\n${shown(text)}\n`);
  return exitCodes.workFailed;
}

export function shown(text: string): string {
  const value = parsed(text);
  return printableText(value === undefined ? text : JSON.stringify(value, undefined, 2));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
