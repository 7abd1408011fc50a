import type { IncomingMessage } from 'node:http';
import type { TraceSink } from '../../lib/log/trace-taps.js';
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

/** Of the forms of sessions: whatever stands in the others may have been typed where the screen does not show it. */
const SHOWN_SESSION_FIELDS: ReadonlySet<string> = new Set(['pf', 'cursorfield', 'focusfield']);

/** Of the forms with which users sign on. */
const SIGN_ON_FIELDS: ReadonlySet<string> = new Set(['SIGNON-CODE', 'USERID']);

/** Handles of sessions over HTTP. */
const SESSION_HANDLE = /(\/api\/v1\/sessions\/)[^/?]+/gi;

/** What a host has printed, and files that go to it and come from it: data of users, of whatever type they are said to be. */
const DOCUMENT_TARGET = /(?:Print|Transfer)(?:Svc|Ajax)Session=/;

const TEXT_TYPES = /^text\/(?:html|plain|csv)$/;

type TracedLine = Pick<SiteTracing, 'isPortal' | 'secretMembers'>;

/**
 * Writes a request and its answer into a trace: `> ` what came in, `< ` what went out, each row with the number of the request.
 * No secret of theirs is written: cookies, credentials, codes of sessions, values under names of secrets, what is typed into
 * sessions. Of portal lines no body is.
 */
export class ExchangeTrace {
  readonly #sink: TraceSink;
  readonly #line: TracedLine;
  readonly #id: string;
  readonly #request: IncomingMessage;
  readonly #body: Buffer[] = [];
  #bodyBytes = 0;
  #hidesBodies = false;
  /** What the request gave under names of secrets: an answer may show it again. */
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
    this.#write('<', '(the client had gone before it was answered)');
  }

  /** Looks over the shoulder of whoever reads it. */
  #keepBody(request: IncomingMessage): void {
    const { emit } = request;
    request.emit = (event: string | symbol, ...values: unknown[]) => {
      const [chunk] = values;
      if (event === 'data' && Buffer.isBuffer(chunk)) {
        const room = httpTraceBounds.bodyBytes - this.#keptBytes;
        // whoever reads it may overwrite it
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

  /** Undefined: it may hold secrets that nobody can tell from the rest. */
  #shownBody(way: Way, type: string, kept: Buffer, isWhole: boolean): readonly string[] | undefined {
    if (this.#line.isPortal || this.#hidesBodies || this.#isMacros) return undefined;
    if (this.#isDocument && way === '>') return undefined;
    if (type === FORM_TYPE) return isWhole ? this.#shownForm(kept) : undefined;
    if (isJsonType(type)) return isWhole ? this.#shownJson(way, kept) : undefined;
    if (this.#isDocument) return undefined;
    // what a client sends that is no form and no JSON, only its scenario knows
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
    // whoever is a field ahead types a password where the name belongs, and the answer shows it again
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
    // of sessions over HTTP: what is typed into them, displayed or not
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

  /** Macros hold what somebody typed while they were recorded. */
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

/** An address without codes of sessions, and without the values of its query that are secret by their name; within a session, of all of them. */
function shownTarget(text: string): string {
  const question = text.indexOf('?');
  const path = question < 0 ? text : text.slice(0, question);
  const shownPath = withoutSecrets(path).replace(SESSION_HANDLE, `$1${MASK}`);
  // the code of a session, however it is written
  const shown = shownPath.replace(/((?:\+|%2b){2}).+$/i, (rest, plus: string) =>
    /\$UseCookieSession\$/i.test(rest) ? rest : `${plus}${MASK}`,
  );
  if (question < 0) return shown;
  const isOfSession = isSessionTarget(path);
  const isSecret = (name: string) =>
    isSecretName(name) || (isOfSession && !SHOWN_SESSION_FIELDS.has(name.toLowerCase()));
  return `${shown}?${shownQuery(text.slice(question + 1), isSecret)}`;
}
