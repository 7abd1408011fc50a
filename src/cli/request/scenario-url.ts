import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** A scenario request (specification 2.1 and 4.1) as its client sees it. */
interface ScenarioUrl {
  /** With template in upper case and all parameters in the query. */
  readonly url: URL;
  readonly port: number;
  readonly template: string;
  readonly transaction: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const defaultPorts: Readonly<Record<string, number | undefined>> = { 'http:': 80, 'https:': 443 };

/**
 * Puts a request together from a URL `http[s]://host:port/[path/]template+transaction` and `NAME=VALUE` arguments.
 *
 * @returns the request, or what is wrong with the arguments
 */
export function readScenarioUrl(text: string, parameters: readonly string[]): ReadOutcome<ScenarioUrl> {
  const expected = `expected http://HOST:PORT/TEMPLATE+TRANSACTION, found "${text}"`;
  if (!URL.canParse(text)) return readFault(`the URL is malformed: ${expected}`);
  const url = new URL(text);
  const defaultPort = defaultPorts[url.protocol];
  if (defaultPort === undefined) return readFault(`the URL is neither http nor https: ${expected}`);
  if (url.username !== '' || url.password !== '') return readFault('the URL must not hold a user id or a password');
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

/** As it is where it is no valid percent-encoding: the server is to say so, not the client. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
