import { Command } from 'commander';
import { readPemFile } from '../../config/read-pem-file.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { timeoutOf } from '../options.js';
import { printableText } from '../output.js';
import { exchange, type HttpAnswer, RequestError, type SendOptions, withoutMarkup } from './http-exchange.js';

const LONGEST_TEXT_OF_ERROR = 2000;
const LONGEST_TEXT_SEARCHED = 65536;

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/**
 * Sends GET and reads the response, at most 1 MiB. Follows one 302 with a `URL=` value (in a header or the body) or
 * `Location` (specification 4.1).
 * @throws RequestError on connection errors, time-outs, HTTP error statuses and a second redirect
 */
async function sendScenarioRequest(url: URL, options: SendOptions): Promise<string> {
  const signal = AbortSignal.timeout(options.timeoutMilliseconds);
  const request = { method: 'GET', headers: { Accept: ACCEPT } } as const;
  let answer = await exchange(url, request, options, signal);
  if (answer.status === 302) {
    const target = redirectTarget(answer, url);
    answer = await exchange(target, request, options, signal);
    if (answer.status === 302)
      throw new RequestError(`${target.href} redirects a second time; only one redirect is followed`);
  }
  if (answer.status < 200 || answer.status > 299) {
    throw new RequestError(`HTTP ${answer.status} ${answer.reason}. ${readableText(answer)}`.trimEnd());
  }
  return answer.text;
}

function redirectTarget({ headers, text }: HttpAnswer, from: URL): URL {
  const refresh = headers.refresh;
  const named = headers.location ?? urlValue(String(refresh ?? '')) ?? urlValue(text.slice(0, LONGEST_TEXT_SEARCHED));
  if (named === undefined || !URL.canParse(named, from.href)) {
    throw new RequestError('HTTP 302 without a target: neither Location nor URL= names one.');
  }
  const target = new URL(named, from);
  const allowed = from.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  if (!allowed.includes(target.protocol)) throw new RequestError(`The redirect to ${target.href} is not followed.`);
  return target;
}

function urlValue(text: string): string | undefined {
  return /URL=\s*["']?([^"'\s<>]+)/i.exec(text)?.[1];
}

function readableText({ text, headers }: HttpAnswer): string {
  const said = text.slice(0, LONGEST_TEXT_OF_ERROR);
  return headers['content-type']?.startsWith('text/html') ? withoutMarkup(said).trim() : said;
}

/** A scenario request (specification 2.1 and 4.1) from the client's view. */
interface ScenarioUrl {
  /** Template in upper case, all parameters in the query. */
  readonly url: URL;
  readonly port: number;
  readonly template: string;
  readonly transaction: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const defaultPorts: Readonly<Record<string, number | undefined>> = { 'http:': 80, 'https:': 443 };

/** Combines a URL `http[s]://host:port/[path/]template+transaction` with `NAME=VALUE` arguments. */
function readScenarioUrl(text: string, parameters: readonly string[]): ReadOutcome<ScenarioUrl> {
  const expected = `expected http://HOST:PORT/TEMPLATE+TRANSACTION, found "${text}"`;
  if (!URL.canParse(text)) return readFault(`the URL is malformed: ${expected}`);
  const url = new URL(text);
  const defaultPort = defaultPorts[url.protocol];
  if (defaultPort === undefined) return readFault(`the URL is neither http nor https: ${expected}`);
  if (url.username !== '' || url.password !== '') return readFault('the URL must not contain a user ID or a password');
  const split = /^(.*\/)([^/+]+)\+([^/+]+)(.*)$/.exec(url.pathname);
  if (!split) return readFault(`the URL names no template and transaction: ${expected}`);
  const [, folder = '', template = '', transaction = '', rest = ''] = split;
  const queries = url.search === '' ? [] : [url.search.slice(1)];
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 1) return readFault(`a parameter is malformed: expected NAME=VALUE, found "${parameter}"`);
    const [name, value] = [parameter.slice(0, equals), parameter.slice(equals + 1)];
    queries.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  url.hash = '';
  url.pathname = `${folder}${template.toUpperCase()}+${transaction}${rest}`;
  url.search = queries.join('&');
  return readAs({
    url,
    port: url.port === '' ? defaultPort : Number(url.port),
    template: decoded(template.toUpperCase()),
    transaction: decoded(transaction),
    parameters: [...url.searchParams],
  });
}

/** Returns invalid percent-encoding unchanged, so that the server reports it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const DEFAULT_TIMEOUT_SECONDS = 30;

interface RequestOptions {
  readonly timeout: number;
  readonly ca?: string;
}

/** The reference client of specification 7. */
export function requestCommand(finish: Finish): Command {
  const command = new Command('request')

    .argument('<url>', 'http://HOST:PORT/TEMPLATE+TRANSACTION')
    .argument('[parameters...]', 'NAME=VALUE')
    .option('--timeout <seconds>', 'seconds to wait for the answer', timeoutOf, DEFAULT_TIMEOUT_SECONDS)
    .option('--ca <file>', 'PEM file with additional certificate authorities, for https')
    .addHelpText(
      'after',
      '\nThe exit code is 0 if the first character of the answer is 0, otherwise 1.' +
        '\n\nExample:\n  sallyport request http://127.0.0.1:41002/WS1.HTML+WS3 FROMCURRENCY=EUR TOCURRENCY=USD',
    );
  return command.action(async (url: string, parameters: string[], options: RequestOptions) => {
    const read = readScenarioUrl(url, parameters);
    if (read.kind === 'fault') return command.error(`error: ${read.fault}`);
    const request = read.value;
    let certificateAuthorities: string | undefined;
    try {
      certificateAuthorities = options.ca === undefined ? undefined : readPemFile(options.ca).toString();
    } catch {
      return command.error(`error: --ca: the file ${options.ca} cannot be read`);
    }
    print('Line', request.url.hostname);
    print('Port', String(request.port));
    print('Template', request.template);
    print('Transaction', request.transaction);
    print('Parameters', request.parameters.map(([name, value]) => `${name}=${value}`).join('&'));
    try {
      const answer = await sendScenarioRequest(request.url, {
        timeoutMilliseconds: options.timeout * 1000,
        certificateAuthorities,
      });
      const fine = answer.startsWith('0');
      print(fine ? 'Result' : 'Error', answer.slice(1));
      if (!fine) finish(exitCodes.workFailed);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      finish(exitCodes.workFailed);
      process.stderr.write(`Error: ${printableText(error.message)}\n`);
    }
  });
}

function print(title: string, text: string): void {
  process.stdout.write(`${title}: ${process.stdout.isTTY ? printableText(text) : text}\n`);
}
