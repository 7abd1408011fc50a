import { exchange, type HttpAnswer, RequestError, type SendOptions } from './http-exchange.js';

const LONGEST_TEXT_OF_ERROR = 2000;
const LONGEST_TEXT_SEARCHED = 65536;

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/**
 * Sends GET and reads the answer, at most 1 MiB. A 302 with a `URL=` value (in a header or the body) or `Location` is
 * followed once (specification 4.1).
 *
 * @throws RequestError for a broken connection, a time-out, an HTTP error status, a second redirect
 */
export async function sendScenarioRequest(url: URL, options: SendOptions): Promise<string> {
  const signal = AbortSignal.timeout(options.timeoutMilliseconds);
  const request = { method: 'GET', headers: { Accept: ACCEPT } } as const;
  let answer = await exchange(url, request, options, signal);
  if (answer.status === 302) {
    const target = redirectTarget(answer, url);
    answer = await exchange(target, request, options, signal);
    if (answer.status === 302) throw new RequestError(`${target.href} redirects a second time; one is followed`);
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

/** What the server said of an error, without its markup. */
function readableText({ text, headers }: HttpAnswer): string {
  const said = text.slice(0, LONGEST_TEXT_OF_ERROR);
  if (!headers['content-type']?.startsWith('text/html')) return said;
  const body = said.replace(/<(style|script|title)\b[^>]*>[^<]*<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return body.replace(/\s+/g, ' ').trim();
}
