import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { MACRO_FILE_NAME, type MacroDirectory } from '../../macros/macro-directory.js';
import { printableText } from '../output.js';
import {
  type HttpAnswer,
  httpFailureWords,
  LongAnswerError,
  receivedAnswer,
  withoutMarkup,
} from '../request/http-exchange.js';
import { parsed } from '../request/token-requests.js';

const SHORTEST_MASKED_PASSWORD = 8;

export interface Credentials {
  readonly administrator: string;
  readonly password: string;
}

interface RecordedExchange extends Omit<Reply, 'headers'> {
  readonly method: string;
  readonly url: URL;
}

/** Verbose output that the reference client appends to output.txt (specification 4.6 rule 4). */
export class UploadRecord {
  readonly #file: string;
  readonly #secrets: string[];

  constructor(file: string, { administrator, password }: Credentials) {
    this.#file = file;
    const pair = `${administrator}:${password}`;
    this.#secrets = [pair, Buffer.from(pair).toString('base64')];
    // masking a short, common word would reveal it
    if (password.length >= SHORTEST_MASKED_PASSWORD) this.#secrets.push(password);
  }

  exchange({ method, url, status, reason, rawHeaders, text }: RecordedExchange): void {
    const headers: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.push(`< ${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
    }
    const body = text.replace(/\r\n/g, '\n').trimEnd();
    this.#append(method, url, [`< HTTP/1.1 ${status} ${reason}`, ...headers, '', body]);
  }

  failure(method: string, url: URL, words: string): void {
    this.#append(method, url, [`* ${words}`]);
  }

  masked(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = masked.replaceAll(secret, '***');
    return masked;
  }

  #append(method: string, url: URL, outcome: readonly string[]): void {
    const request = `> ${method} ${url.pathname}${url.search} HTTP/1.1`;
    const lines = [`* ${new Date().toISOString()} ${url.origin}`, request, ...outcome, ''];
    // readable only by the owner, because it contains directory keys
    appendFileSync(this.#file, printableText(this.masked(`${lines.join('\n')}\n`)), { mode: 0o600 });
  }
}

const LONGEST_REASON = 300;
const LONGEST_TEXT_SEARCHED = 4096;
/** `hhmmss ` before each message (reference 5.5), and texts that do not explain a rejection. */
const TIME = /^\d{6} /;
const EVERYDAY = /^(RETURN CODE IS:|MESSAGE RECEIVED$)/;

/** The digits after `RETURN CODE IS:` in the response to an upload (contract, "Macro administration"). */
function readReturnCode(text: string): string | undefined {
  return /^RETURN CODE IS:[ \t]*(\d{1,4})\b/m.exec(text)?.[1];
}

/** Reason for a rejection: the lines around the return code, the message of JSON, or a page without markup. */
function readReason(text: string, contentType = ''): string {
  const searched = text.slice(0, LONGEST_TEXT_SEARCHED);
  const said = readJsonMessage(text, contentType) ?? (/html/i.test(contentType) ? withoutMarkup(searched) : searched);
  const lines = said.split(/\r?\n/).map((line) => line.trim().replace(TIME, ''));
  const reason = lines.filter((line) => line !== '' && !EVERYDAY.test(line)).join('; ');
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}

function readJsonMessage(text: string, contentType: string): string | undefined {
  const { message } = Object(/json/i.test(contentType) ? parsed(text) : undefined) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}

const LARGEST_REPLY_BYTES = 64 * 1024;
const LONGEST_WAIT_SECONDS = 60;
/** Allowed characters of a key; excludes those that end a path or a header. */
const KEY = /^[A-Za-z0-9._~!$'()*;@-]{1,512}$/;
/** Connection errors that would also affect the next request. */
const lasting =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO)$|CERT|SELF_SIGNED|UNABLE_TO_|WRONG_VERSION/;

interface PortalOptions {
  readonly root: URL;
  readonly credentials: Credentials;
  readonly record: UploadRecord;
  readonly timeoutMilliseconds: number;
  /** PEM, in addition to the authorities that Node trusts. */
  readonly certificateAuthorities: string | undefined;
  readonly tell: (words: string) => void;
}

/** Responses of a line without `/SECURE/`, and of a portal without directories (docs/run/errors.md). */
const NO_PORTAL =
  /SVC_ERR_(?:TRANSACTION_UNKNOWN|TEMPLATE_UNKNOWN|MACRO_UNCONFIGURED)|macro directories are not configured/;

/** The message is escaped and shown to the user. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  /** True if all further requests would fail too: sign-on rejected, or server not reachable. */
  readonly lasting: boolean;

  constructor(message: string, lasting = false) {
    super(printableText(message).replaceAll('\n', ' '));
    this.lasting = lasting;
  }
}

interface Reply extends HttpAnswer {
  readonly rawHeaders: readonly string[];
}

interface Body {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const uploadTransactions = { global: 'uplglb', group: 'uplgrp', user: 'uplusr' } as const;

/** A portal line as the reference client uses it (specification 4.3 and 4.4). */
export class MacroPortal {
  readonly #options: PortalOptions;
  readonly #authorization: string;

  constructor(options: PortalOptions) {
    this.#options = options;
    const { administrator, password } = options.credentials;
    this.#authorization = `Basic ${Buffer.from(`${administrator}:${password}`).toString('base64')}`;
  }

  /** Requests the directory key, if the level has one, and uploads the file. @throws PortalError */
  async upload(directory: MacroDirectory, file: Buffer): Promise<void> {
    let path = `/SECURE/upload.txt+${uploadTransactions[directory.level]}`;
    if (directory.level !== 'global') {
      const header = `x-Svc-${directory.level}-Directory`;
      path += `+${header}:${await this.#lookUpKey(directory.level, directory.name, header)}`;
    }
    // the reference client appends 1 to these paths
    const reply = await this.#send('POST', new URL(`${path}1`, this.#options.root), multipart(file));
    const code = readReturnCode(reply.text);
    if (isFine(reply) && code !== undefined && Number(code) === 0) return;
    if (isFine(reply) && code === undefined) throw new PortalError('the reply contains no RETURN CODE');
    throw this.#refusal(reply);
  }

  async #lookUpKey(level: 'group' | 'user', name: string, header: string): Promise<string> {
    const path = `/SECURE/capabilityCode.json+USRCAP?${level.toUpperCase()}=${encodeURIComponent(name)}`;
    const reply = await this.#send('GET', new URL(path, this.#options.root));
    if (!isFine(reply)) throw this.#refusal(reply);
    const inHeader = reply.headers[header.toLowerCase()];
    const inBody = new RegExp(`${header}"?[ \\t]*:[ \\t]*"?([^",\\s]+)`, 'i').exec(reply.text)?.[1];
    const key = (inHeader === undefined ? (inBody ?? '') : (String(inHeader).split(',')[0] ?? '')).trim();
    if (key === '') throw new PortalError(`the reply contains no ${header}`);
    if (!KEY.test(key)) throw new PortalError(`the ${header} of the reply is not a valid key`);
    return key;
  }

  async #send(method: 'GET' | 'POST', url: URL, body?: Body): Promise<Reply> {
    const reply = await this.#sendOnce(method, url, body);
    if (reply.status !== 429) return reply;
    const seconds = Number(reply.headers['retry-after']);
    if (!(seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS)) return reply;
    this.#options.tell(`the server asks to wait for ${seconds} s: waiting`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return this.#sendOnce(method, url, body);
  }

  async #sendOnce(method: 'GET' | 'POST', url: URL, body: Body | undefined): Promise<Reply> {
    const { record } = this.#options;
    try {
      const reply = await this.#exchange(method, url, body);
      record.exchange({ method, url, ...reply });
      return reply;
    } catch (error) {
      if (error instanceof PortalError) record.failure(method, url, error.message);
      throw error;
    }
  }

  async #exchange(method: 'GET' | 'POST', url: URL, body: Body | undefined): Promise<Reply> {
    const { timeoutMilliseconds, certificateAuthorities } = this.#options;
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const headers = {
      Authorization: this.#authorization,
      Accept: 'text/plain, application/json;q=0.9, */*;q=0.1',
      ...(body && { 'Content-Type': body.contentType, 'Content-Length': body.bytes.length }),
    };
    const request = { method, headers, body: body?.bytes, mostBytes: LARGEST_REPLY_BYTES };
    try {
      const { bytes, ...reply } = await receivedAnswer(url, request, certificateAuthorities, signal);
      return { ...reply, text: bytes.toString('utf8') };
    } catch (error) {
      if (error instanceof LongAnswerError)
        throw new PortalError(`the reply is longer than ${LARGEST_REPLY_BYTES} bytes`);
      if (signal.aborted) throw new PortalError(`no answer within ${timeoutMilliseconds / 1000} s (--timeout)`);
      throw connectionFailure(error as NodeJS.ErrnoException, url);
    }
  }

  #refusal(reply: Reply): PortalError {
    const code = readReturnCode(reply.text);
    const named = code === undefined ? '' : `, RETURN CODE IS: ${code}`;
    const said = this.#options.record.masked(readReason(reply.text, reply.headers['content-type']));
    const words = `HTTP ${reply.status}${named}${said === '' ? '' : `: ${said}`}`;
    const { administrator } = this.#options.credentials;
    if (reply.status === 401) return new PortalError(`wrong user ID or password (HTTP 401)`, true);
    if (reply.status === 403) return new PortalError(`${administrator} is not permitted to do this: ${words}`, true);
    if (reply.status === 429) {
      const after = reply.headers['retry-after'];
      const when = after === undefined ? 'later' : `in ${after} s`;
      return new PortalError(`the server rejects sign-ons from this address; try again ${when} (HTTP 429)`, true);
    }
    if (reply.status === 404 && NO_PORTAL.test(reply.text)) {
      return new PortalError(`this is no portal line, or it has no macro directories: ${words}`, true);
    }
    if (reply.status >= 300 && reply.status < 400) return new PortalError(`${words} (a redirect is not followed)`);
    return new PortalError(words);
  }
}

function isFine({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

function connectionFailure(error: NodeJS.ErrnoException, url: URL): PortalError {
  const code = error.code ?? '';
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const words =
    code === 'ECONNREFUSED'
      ? `${url.hostname}:${port} refuses the connection: is the portal line up?`
      : httpFailureWords(error, url);
  return new PortalError(words, lasting.test(code));
}

function multipart(file: Buffer): Body {
  const boundary = `sallyport-${randomBytes(18).toString('hex')}`;
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${MACRO_FILE_NAME}"\r\n` +
    'Content-Type: application/json\r\n\r\n';
  const bytes = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}
