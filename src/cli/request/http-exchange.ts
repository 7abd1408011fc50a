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
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly mostBytes?: number;
}

/** @throws RequestError on connection errors, time-outs and responses that are too long */
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
