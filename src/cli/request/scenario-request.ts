import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { httpFailureWords } from './http-failure-words.js';

const LARGEST_ANSWER_BYTES = 1024 * 1024;
const LONGEST_TEXT_OF_ERROR = 2000;
const LONGEST_TEXT_SEARCHED = 65536;

interface SendOptions {
  /** For the request and the one that may follow it, together. */
  readonly timeoutMilliseconds: number;
  /** PEM, beside the authorities that Node trusts itself. */
  readonly certificateAuthorities: string | undefined;
}

/** A request without an answer that a scenario made. The message is for a person. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends GET and reads the answer, at most 1 MiB. A 302 with a `URL=` value (in a header or the body) or `Location` is
 * followed once (specification 4.1).
 *
 * @throws RequestError for a broken connection, a time-out, an HTTP error status, a second redirect
 */
export async function sendScenarioRequest(url: URL, options: SendOptions): Promise<string> {
  const signal = AbortSignal.timeout(options.timeoutMilliseconds);
  let answer = await get(url, options, signal);
  if (answer.status === 302) {
    const target = redirectTarget(answer, url);
    answer = await get(target, options, signal);
    if (answer.status === 302) throw new RequestError(`${target.href} redirects a second time; one is followed`);
  }
  if (answer.status < 200 || answer.status > 299) {
    throw new RequestError(`HTTP ${answer.status} ${answer.reason}. ${readableText(answer)}`.trimEnd());
  }
  return answer.text;
}

function get(url: URL, options: SendOptions, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const seconds = options.timeoutMilliseconds / 1000;
      const words = signal.aborted ? `No answer within ${seconds} s (--timeout).` : httpFailureWords(error, url);
      reject(new RequestError(words));
    };
    const ca = options.certificateAuthorities;
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      {
        agent: false,
        signal,
        headers: { Connection: 'close', Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
        ...(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > LARGEST_ANSWER_BYTES) {
            reject(new RequestError(`The answer is longer than ${LARGEST_ANSWER_BYTES} bytes.`));
            request.destroy();
          } else chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? '',
            headers: response.headers,
            text: decodeText(Buffer.concat(chunks), response.headers['content-type']),
          });
        });
      },
    );
    request.on('error', fail);
  });
}

function decodeText(bytes: Buffer, contentType = ''): string {
  const [, charset = 'utf-8'] = /charset="?([^\s;"]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function redirectTarget({ headers, text }: Answer, from: URL): URL {
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
function readableText({ text, headers }: Answer): string {
  const said = text.slice(0, LONGEST_TEXT_OF_ERROR);
  if (!headers['content-type']?.startsWith('text/html')) return said;
  const body = said.replace(/<(style|script|title)\b[^>]*>[^<]*<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return body.replace(/\s+/g, ' ').trim();
}
