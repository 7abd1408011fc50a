import type { IncomingMessage } from 'node:http';
import type { TraceSink } from '../../lib/log/trace-sinks.js';
import { cutRow, decoded, headerOf, headerRows, httpTraceBounds, shownQuery } from '../../lib/log/traced-http.js';
import {
  isSecretName,
  MASK,
  MetSecrets,
  withoutSecretElements,
  withoutSecretMembers,
  withoutSecrets,
} from '../../lib/secrets/secret-text.js';
import { printable } from '../../lib/text/characters.js';
import { FORM_TYPE, isJsonType, isXmlType, mediaTypeOf } from '../../lib/text/media-type.js';
import type { Answer } from './answer.js';
import type { SiteTracing } from './client-site.js';

/** Other fields of session forms may contain hidden input. */
const SHOWN_SESSION_FIELDS: ReadonlySet<string> = new Set(['pf', 'cursorfield', 'focusfield']);

const SIGN_ON_FIELDS: ReadonlySet<string> = new Set(['SIGNON-CODE', 'USERID']);

const SESSION_HANDLE = /(\/api\/v1\/sessions\/)[^/?]+/gi;

/** Targets of host documents and file transfers, whose bodies are user data with any media type. */
const DOCUMENT_TARGET = /(?:Print|Transfer)(?:Svc|Ajax)Session=/;

const TEXT_TYPES = /^text\/(?:html|plain|csv)$/;

type TracedLine = Pick<SiteTracing, 'isPortal' | 'secretMembers'>;

/**
 * Writes a request (`> `) and its answer (`< `) into a trace, each row with the request ID. Secrets are masked:
 * cookies, credentials, session codes, values of secret names and session input. Bodies of portal lines are not
 * written.
 */
export class ExchangeTrace {
  readonly #sink: TraceSink;
  readonly #line: TracedLine;
  readonly #id: string;
  readonly #request: IncomingMessage;
  readonly #body: Buffer[] = [];
  #bodyBytes = 0;
  #hidesBodies = false;
  readonly #secrets = new MetSecrets((text) => Buffer.from(text));

  constructor(sink: TraceSink, line: TracedLine, request: IncomingMessage, id: string) {
    this.#sink = sink;
    this.#line = line;
    this.#request = request;
    this.#id = id;
    const { method = '', url = '', httpVersion, rawHeaders } = request;
    this.#meetParameters(url);
    this.#write('>', `${method} ${shownTarget(url)} HTTP/${httpVersion}`);
    this.#headers('>', rawHeaders);
    this.#keepBody(request);
  }

  answered({ status, headers, body, stream }: Pick<Answer, 'status' | 'headers' | 'body' | 'stream'>): void {
    this.#requestBody();
    this.#write('<', `HTTP/1.1 ${status}`);
    this.#headers('<', headers);
    if (stream !== undefined) this.#write('<', '(a stream of events, which is not traced)');
    else if (body.length > 0 && this.#request.method !== 'HEAD') {
      this.#bodyOf(
        '<',
        headerOf(headers, 'content-type'),
        body.subarray(0, httpTraceBounds.bodyBytes),
        body.length,
        headers,
      );
    }
  }

  abandoned(): void {
    this.#requestBody();
    this.#write('<', '(the client disconnected before the answer)');
  }

  /** Copies the body while the handler reads it, without consuming it. */
  #keepBody(request: IncomingMessage): void {
    const { emit } = request;
    request.emit = (event: string | symbol, ...values: unknown[]) => {
      const [chunk] = values;
      if (event === 'data' && Buffer.isBuffer(chunk)) {
        const room = httpTraceBounds.bodyBytes - this.#keptBytes;
        // copied, because the reader may overwrite it
        if (room > 0) this.#body.push(Buffer.from(chunk.subarray(0, room)));
        this.#bodyBytes += chunk.length;
      }
      return emit.call(request, event, ...values);
    };
  }

  get #keptBytes(): number {
    return Math.min(this.#bodyBytes, httpTraceBounds.bodyBytes);
  }

  #requestBody(): void {
    if (this.#bodyBytes === 0) return;
    const kept = Buffer.concat(this.#body);
    for (const piece of this.#body) piece.fill(0);
    this.#body.length = 0;
    this.#bodyOf('>', this.#request.headers['content-type'], kept, this.#bodyBytes, this.#request.rawHeaders);
    kept.fill(0);
  }

  #bodyOf(way: Way, contentType = '', kept: Buffer, length: number, headers: readonly string[]): void {
    const type = mediaTypeOf(contentType);
    const isWhole = kept.length === length;
    const isEncoded = (headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity';
    const rows = isEncoded ? undefined : this.#shownBody(way, type, kept, isWhole);
    const size = `${length} bytes${type === '' ? '' : ` of ${printable(type)}`}`;
    if (rows === undefined) {
      this.#write(way, `(body: ${size}, not shown)`);
      return;
    }
    this.#write(way, `(body: ${size}${isWhole ? '' : `, the first ${kept.length} of them`})`);
    for (const row of rows) this.#write(way, `| ${cutRow(printable(this.#secrets.masked(row)))}`);
  }

  /** Undefined if the body may contain secrets that cannot be recognized. */
  #shownBody(way: Way, type: string, kept: Buffer, isWhole: boolean): readonly string[] | undefined {
    if (this.#line.isPortal || this.#hidesBodies || this.#isMacros) return undefined;
    if (this.#isDocument && way === '>') return undefined;
    if (type === FORM_TYPE) return isWhole ? this.#shownForm(kept) : undefined;
    if (isJsonType(type)) return isWhole ? this.#shownJson(way, kept) : undefined;
    if (this.#isDocument) return undefined;
    // other types have a format that only the scenario can interpret
    if (!TEXT_TYPES.test(type) && !isXmlType(type)) return undefined;
    const text = kept.toString('utf8');
    const shown = isXmlType(type) ? this.#shownXml(text) : text;
    return withoutSecrets(shown).split(/\r\n|\r|\n/);
  }

  #shownXml(text: string): string {
    return withoutSecretElements(
      text,
      (name) => this.#isSecretMember(name),
      (secret) => this.#secrets.add(secret),
    );
  }

  #shownForm(kept: Buffer): readonly string[] {
    const fields = [...new URLSearchParams(kept.toString('utf8'))];
    const isOfSession = isSessionTarget(this.#request.url ?? '');
    // a user may type the password into the name field, and the answer would show it again
    const isSignOn = fields.some(([name]) => SIGN_ON_FIELDS.has(name.toUpperCase()));
    this.#hidesBodies = isSignOn && !isOfSession;
    return fields.map(([name, value]) => {
      const isShown = isOfSession
        ? SHOWN_SESSION_FIELDS.has(name.toLowerCase())
        : !isSignOn && !this.#isSecretMember(name);
      if (!isShown) this.#secrets.add(value);
      return `${withoutSecrets(name)}=${isShown ? withoutSecrets(value) : MASK}`;
    });
  }

  #shownJson(way: Way, kept: Buffer): readonly string[] | undefined {
    // steps of API sessions contain typed input, also for hidden fields
    if (way === '>' && /^\/api\/v1\/sessions/i.test(this.#request.url ?? '')) return undefined;
    try {
      const value = JSON.parse(kept.toString('utf8'));
      if (way === '>') this.#secrets.addMembers(value, (name) => this.#isSecretMember(name));
      const shown = withoutSecretMembers(value, (name) => this.#isSecretMember(name));
      return JSON.stringify(shown, undefined, 1).split('\n');
    } catch {
      return undefined;
    }
  }

  #meetParameters(url: string): void {
    const question = url.indexOf('?');
    if (question < 0) return;
    for (const [name, value] of new URLSearchParams(url.slice(question)))
      if (isSecretName(name)) this.#secrets.add(value);
  }

  #isSecretMember(name: string): boolean {
    return isSecretName(name) || this.#line.secretMembers().has(name.toLowerCase());
  }

  /** Macros contain recorded input. */
  get #isMacros(): boolean {
    return /macros|\+UPL/i.test(this.#request.url ?? '');
  }

  get #isDocument(): boolean {
    return DOCUMENT_TARGET.test(decoded(this.#request.url?.split('?')[0] ?? ''));
  }

  #headers(way: Way, headers: readonly string[]): void {
    for (const row of headerRows(headers, shownTarget)) this.#write(way, row);
  }

  #write(way: Way, text: string): void {
    this.#sink.write(`${new Date().toISOString()} ${this.#id} ${way} ${text}`);
  }
}

type Way = '<' | '>';

function isSessionTarget(url: string): boolean {
  return /(?:\+|%2b)(?:\+|%2b)|(?:Svc|Ajax)Session/i.test(url);
}

/** Masks session codes and secret query values; within a session, all query values except the shown fields. */
function shownTarget(text: string): string {
  const question = text.indexOf('?');
  const path = question < 0 ? text : text.slice(0, question);
  const shownPath = withoutSecrets(path).replace(SESSION_HANDLE, `$1${MASK}`);
  const shown = shownPath.replace(/((?:\+|%2b){2}).+$/i, (rest, plus: string) =>
    /\$UseCookieSession\$/i.test(rest) ? rest : `${plus}${MASK}`,
  );
  if (question < 0) return shown;
  const isOfSession = isSessionTarget(path);
  const isSecret = (name: string) =>
    isSecretName(name) || (isOfSession && !SHOWN_SESSION_FIELDS.has(name.toLowerCase()));
  return `${shown}?${shownQuery(text.slice(question + 1), isSecret)}`;
}
