import type { TraceSink, TraceSinks } from '../../lib/log/trace-sinks.js';
import { cutRow, headerOf, headerRows, httpTraceBounds, shownQuery } from '../../lib/log/traced-http.js';
import {
  isSecretName,
  MetSecrets,
  withoutSecretElements,
  withoutSecretMembers,
  withoutSecrets,
} from '../../lib/secrets/secret-text.js';
import { printable } from '../../lib/text/characters.js';
import { FORM_TYPE, isJsonType, isXmlType, mediaTypeOf } from '../../lib/text/media-type.js';
import { messageOf } from '../../lib/text/messages.js';
import type { OutboundMessage, OutboundRequest } from './outbound.js';

export interface OutboundTracing {
  readonly sinks: TraceSinks;
  /** Names of members that services declare secret, in lower case. */
  readonly secretMembers: () => ReadonlySet<string>;
}

/**
 * Longer than every secret. The text is read this far past the bound and truncated after masking, so no half of a
 * secret remains.
 */
const BEHIND_THE_END = 4_096;
/** Secrets in other encodings cannot be found. */
const CHARSETS: Readonly<Record<string, BufferEncoding>> = {
  '': 'utf8',
  'utf-8': 'utf8',
  'us-ascii': 'utf8',
  'iso-8859-1': 'latin1',
};

let calls = 0;

export function callTraceOf(tracing: OutboundTracing, line: string, request: OutboundRequest): CallTrace | undefined {
  const sink = tracing.sinks.sinkOf(line);
  return sink && new CallTrace(sink, tracing, request);
}

/**
 * Traces a call and its reply: `> ` sent, `< ` received, each row with the number of the call. Masks credentials,
 * cookies, values with secret names, and the secrets of the caller.
 */
class CallTrace {
  readonly #sink: TraceSink;
  readonly #tracing: OutboundTracing;
  readonly #request: OutboundRequest;
  readonly #call: string;
  readonly #secrets = new MetSecrets((text) => Buffer.from(text));
  #replyHeaders: readonly string[] = [];

  constructor(sink: TraceSink, tracing: OutboundTracing, request: OutboundRequest) {
    this.#sink = sink;
    this.#tracing = tracing;
    this.#request = request;
    calls = (calls + 1) % 1_000_000;
    this.#call = `#${calls}`;
    for (const secret of request.traced?.secrets() ?? []) this.#secrets.add(secret);
  }

  called(site: string, { method, path, headers, body }: OutboundMessage): void {
    const { traced } = this.#request;
    this.#meetCredentials(headerOf(headers, 'authorization'));
    this.#write('>', `(to ${site}${traced === undefined ? '' : `, for request ${printable(traced.id)}`})`);
    this.#write('>', `${method} ${printable(this.#shownTarget(path))} HTTP/1.1`);
    this.#headers('>', headers);
    if (body !== null) this.#body('>', headers, body);
  }

  answered(status: number, headers: readonly Buffer[]): void {
    this.#write('<', `HTTP/1.1 ${status}`);
    this.#replyHeaders = headers.map((one) => one.toString('latin1'));
    this.#headers('<', this.#replyHeaders);
  }

  completed(body: Buffer): void {
    if (body.length > 0) this.#body('<', this.#replyHeaders, body);
    this.#write('<', '(the reply is complete)');
  }

  failed(failure: unknown): void {
    this.#write('<', `(failed: ${printable(messageOf(failure))})`);
  }

  #meetCredentials(authorization = ''): void {
    const [, scheme = '', credentials = ''] = /^(\S+) +(\S+)/.exec(authorization) ?? [];
    this.#secrets.add(credentials);
    const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString() : '';
    this.#secrets.add(decoded.slice(decoded.indexOf(':') + 1));
  }

  #headers(way: Way, headers: readonly string[]): void {
    for (const row of headerRows(headers, (value) => this.#shownTarget(value))) this.#write(way, row);
  }

  #body(way: Way, headers: readonly string[], body: Buffer): void {
    const contentType = headerOf(headers, 'content-type') ?? '';
    const type = mediaTypeOf(contentType);
    const isWhole = body.length <= httpTraceBounds.bodyBytes;
    const [, charset = ''] = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType) ?? [];
    const encoding = CHARSETS[charset.toLowerCase()];
    const isEncoded = (headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity';
    const shown = isEncoded || encoding === undefined ? undefined : this.#shownBody(type, body, encoding, isWhole);
    const size = `${body.length} bytes${type === '' ? '' : ` of ${printable(type)}`}`;
    if (shown === undefined) {
      this.#write(way, `(body: ${size}, not shown)`);
      return;
    }
    this.#write(way, `(body: ${size}${isWhole ? '' : ', its beginning'})`);
    for (const row of this.#secrets.masked(shown).split(/\r\n|\r|\n/)) this.#rows(way, printable(row));
  }

  #shownBody(type: string, body: Buffer, encoding: BufferEncoding, isWhole: boolean): string | undefined {
    const isSecret = (name: string) => this.#isSecret(name);
    const meet = (secret: string) => this.#secrets.add(secret);
    const text = body.toString(encoding, 0, httpTraceBounds.bodyBytes + BEHIND_THE_END);
    if (text.includes('\0')) return undefined;
    if (isXmlType(type) || (type === '' && text.startsWith('<'))) {
      const shown = this.#secrets.masked(withoutSecrets(withoutSecretElements(text, isSecret, meet)));
      return isWhole ? shown : shown.slice(0, -BEHIND_THE_END);
    }
    if (!isWhole) return undefined;
    if (type === FORM_TYPE) return shownQuery(text, isSecret, meet).replaceAll('&', '\n&');
    if (type === 'text/plain') return withoutSecrets(text);
    if (!isJsonType(type)) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      this.#secrets.addMembers(value, isSecret);
      return JSON.stringify(withoutSecretMembers(value, isSecret), undefined, 1);
    } catch {
      return undefined;
    }
  }

  #rows(way: Way, text: string): void {
    const most = httpTraceBounds.rowCharacters;
    this.#write(way, `| ${text.slice(0, most)}`);
    for (let at = most; at < text.length; at += most) this.#write(way, `+ ${text.slice(at, at + most)}`);
  }

  #shownTarget(text: string): string {
    const question = text.indexOf('?');
    const path = this.#secrets.masked(withoutSecrets(question < 0 ? text : text.slice(0, question)));
    if (question < 0) return cutRow(path);
    const query = shownQuery(
      text.slice(question + 1),
      (name) => this.#isSecret(name),
      (secret) => this.#secrets.add(secret),
    );
    return cutRow(`${path}?${this.#secrets.masked(query)}`);
  }

  #isSecret(name: string): boolean {
    return isSecretName(name) || this.#tracing.secretMembers().has(name.toLowerCase());
  }

  #write(way: Way, text: string): void {
    this.#sink.write(`${new Date().toISOString()} ${this.#call} ${way} ${text}`);
  }
}

type Way = '<' | '>';
