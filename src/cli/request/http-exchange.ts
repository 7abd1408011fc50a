import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';
import { httpFailureWords } from './http-failure-words.js';

const LARGEST_ANSWER_BYTES = 1024 * 1024;

/** A request without an answer. The message is for a person. */
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
  /** For this request, and for whatever else is asked with the same signal. */
  readonly timeoutMilliseconds: number;
  /** PEM, beside the authorities that Node trusts itself. */
  readonly certificateAuthorities: string | undefined;
}

interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the answer; not given: 1 MiB. */
  readonly mostBytes?: number;
}

/**
 * Sends one request and reads the answer.
 * @throws RequestError for a broken connection, a time-out, an answer that is too long
 */
export function exchange(
  url: URL,
  { method, headers, body, mostBytes = LARGEST_ANSWER_BYTES }: HttpRequest,
  options: SendOptions,
  signal: AbortSignal = AbortSignal.timeout(options.timeoutMilliseconds),
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const seconds = options.timeoutMilliseconds / 1000;
      const words = signal.aborted ? `No answer within ${seconds} s (--timeout).` : httpFailureWords(error, url);
      reject(new RequestError(words));
    };
    const ca = options.certificateAuthorities;
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
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) {
            reject(new RequestError(`The answer is longer than ${mostBytes} bytes.`));
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
