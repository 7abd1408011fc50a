import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';

const LARGEST_ANSWER_BYTES = 1024 * 1024;

/** No response was received. The message is shown to the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

export interface HttpAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface SendOptions {
  /** For this request, and for all others with the same signal. */
  readonly timeoutMilliseconds: number;
  /** PEM, in addition to the authorities that Node trusts. */
  readonly certificateAuthorities: string | undefined;
}

interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer | undefined;
  readonly mostBytes?: number;
}

/** @throws RequestError on connection errors, time-outs and responses that are too long */
export async function exchange(
  url: URL,
  { mostBytes = LARGEST_ANSWER_BYTES, ...request }: HttpRequest,
  { timeoutMilliseconds, certificateAuthorities }: SendOptions,
  signal: AbortSignal = AbortSignal.timeout(timeoutMilliseconds),
): Promise<HttpAnswer> {
  try {
    const { bytes, ...answer } = await receivedAnswer(url, { ...request, mostBytes }, certificateAuthorities, signal);
    return { ...answer, text: decodeText(bytes, answer.headers['content-type']) };
  } catch (error) {
    if (error instanceof LongAnswerError) throw new RequestError(`The answer is longer than ${mostBytes} bytes.`);
    if (signal.aborted) throw new RequestError(`No answer within ${timeoutMilliseconds / 1000} s (--timeout).`);
    throw new RequestError(httpFailureWords(error as NodeJS.ErrnoException, url));
  }
}

export class LongAnswerError extends Error {
  override readonly name = 'LongAnswerError';
}

interface ReceivedAnswer extends Omit<HttpAnswer, 'text'> {
  /** Alternating names and values as received. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
}

/** @throws LongAnswerError; errors of Node, also if the signal is aborted */
export function receivedAnswer(
  url: URL,
  { method, headers, body, mostBytes }: HttpRequest & { readonly mostBytes: number },
  ca: string | undefined,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        ciphers: TLS_CIPHERS,
        method,
        agent: false,
        signal,
        headers: { Connection: 'close', ...headers },
        ...(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          chunks.push(chunk);
          if (length <= mostBytes) return;
          reject(new LongAnswerError());
          request.destroy();
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = response;
          resolve({ status, reason, headers: response.headers, rawHeaders, bytes: Buffer.concat(chunks) });
          // a server may respond before it has read everything
          request.destroy();
        });
      },
    );
    request.on('error', reject);
    request.end(body);
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

export function httpFailureWords(error: NodeJS.ErrnoException, url: URL): string {
  const host = url.hostname;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const code = error.code ?? '';
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: `Connection refused: nothing listens at ${host} port ${port}. Is Sallyport running?`,
    ENOTFOUND: `Unknown host: no address is known for ${host}.`,
    EAI_AGAIN: `Unknown host: the name service gave no answer for ${host}.`,
    EHOSTUNREACH: `No route to ${host}: the network cannot reach it.`,
    ENETUNREACH: `No route to ${host}: the network cannot reach it.`,
    ETIMEDOUT: `No answer from ${host} port ${port}: the connection timed out.`,
    ECONNRESET: `The connection was closed before the answer was complete.`,
    EPIPE: `The connection was closed before the answer was complete.`,
    HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
    EPROTO: `${host} port ${port} does not speak TLS. Is it an http line?`,
    ERR_SSL_WRONG_VERSION_NUMBER: `${host} port ${port} does not speak TLS. Is it an http line?`,
    ERR_TLS_CERT_ALTNAME_INVALID: `The certificate of ${host} is for another name.`,
    CERT_HAS_EXPIRED: `The certificate of ${host} has expired.`,
  };
  const known = words[code];
  if (known !== undefined) return known;
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code)) {
    return `The certificate of ${host} is not trusted (${code}). Name its authority with --ca FILE.`;
  }
  if (code.startsWith('HPE_')) return `${host} port ${port} did not answer in HTTP (${code}).`;
  return `The request failed: ${error.message}`;
}

export function withoutMarkup(page: string): string {
  return page
    .replace(/<(style|script|title)\b[^>]*>[^<]*<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}
