import type { WebSocket } from 'ws';
import { ServiceError } from '../../errors.js';
import type { Log } from '../../log.js';
import { encodeMessage } from '../../screen-protocol/encode-message.js';
import { type LockCode, programCheckLock } from '../../screen-protocol/lock-code.js';
import { type ScreenCircumstances, SentScreen } from '../../screen-protocol/sent-screen.js';
import type { ServerMessage } from '../../screen-protocol/server-message.js';
import type { BrowserSession, SessionWatcher } from '../../session/browser-session.js';
import { enter } from '../../session/submit.js';
import { refuse } from '../sessions/session-router.js';
import { readScreenRequest, type ScreenRequest } from './screen-request.js';
import { type SocketPages, socketPagesOf } from './socket-pages.js';

/** Submits of a page that wait for the host or for the one before; past that the page is no page of ours. */
const MOST_WAITING_SUBMITS = 32;
/** Bytes that a page leaves unread: past them it is no page of ours, or its network is gone. */
const MOST_UNREAD_BYTES = 1 << 20;
const POLICY_VIOLATION = 1008;
const NORMAL = 1000;

type KeyRequest = Extract<ScreenRequest, { kind: 'key' }>;

/**
 * One page of a session, connected by WebSocket: it is told what changes, one message at a time, so that a slow one skips to the
 * newest screen instead of being sent every one.
 */
export class ScreenSocket implements SessionWatcher {
  readonly #socket: WebSocket;
  readonly #session: BrowserSession;
  readonly #code: string;
  readonly #log: Log;
  readonly #pages: SocketPages;
  #unwatch: (() => void) | undefined;
  readonly #sent = new SentScreen();
  #page = 0;
  #greeted = false;
  #sending = false;
  #scheduled = false;
  #waiting = 0;
  #turn: Promise<void> = Promise.resolve();

  /** @param code as the page has written it: values may be bound to it */
  constructor(socket: WebSocket, session: BrowserSession, code: string, log: Log) {
    this.#socket = socket;
    this.#session = session;
    this.#code = code;
    this.#log = log;
    this.#pages = socketPagesOf(session);
    socket.on('message', (data, isBinary) => this.#take(data.toString(), isBinary));
    socket.on('close', () => this.#unwatch?.());
    socket.on('error', (error) => log.debug({ ...session.logged, reason: error.message }, 'a page was cut off'));
    this.#unwatch = session.watch(this);
    session.seen();
  }

  changed(): void {
    if (this.#scheduled || !this.#greeted) return;
    // several records that come together are one change
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#push();
    });
  }

  ended({ kind, detail, cause }: { readonly kind: string; readonly detail?: string; readonly cause?: string }): void {
    this.#unwatch = undefined;
    this.#send({ k: 'e', e: kind, c: cause === 'failed' ? cause : undefined, m: detail });
    this.#socket.close(NORMAL);
  }

  #take(text: string, isBinary: boolean): void {
    // what comes behind a refusal is not carried out
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) {
      this.#socket.terminate();
      return;
    }
    const request = isBinary ? undefined : readScreenRequest(text);
    if (request === undefined || (request.kind === 'hello') === this.#greeted) {
      this.#socket.close(POLICY_VIOLATION, 'no message of the protocol');
    } else if (request.kind === 'hello') {
      this.#greet(request.page, request.revision);
    } else if (this.#waiting >= MOST_WAITING_SUBMITS) {
      this.#socket.close(POLICY_VIOLATION, 'too many submits');
    } else {
      this.#waiting++;
      this.#turn = this.#turn.then(() => this.#carryOut(request)).finally(() => this.#waiting--);
    }
  }

  #greet(page: number | undefined, revision: number | undefined): void {
    this.#greeted = true;
    const known = page !== undefined && this.#pages.has(page);
    this.#page = known ? page : this.#pages.begin();
    this.#send({ k: 'w', p: this.#page, i: this.#pages.last(this.#page) });
    const { screen } = this.#session;
    // what a page of ours has shown at this revision, it shows still
    if (known && revision === screen.state.revision) this.#sent.adopt(screen.image, this.#circumstances());
    this.#push();
  }

  async #carryOut({ number, key, submission }: KeyRequest): Promise<void> {
    if (!this.#pages.has(this.#page)) {
      // forgotten for others: it comes again as a new page, and says what was not answered
      this.#socket.close(POLICY_VIOLATION, 'too many pages');
      return;
    }
    if (number <= this.#pages.last(this.#page)) {
      this.#send({ k: 'a', i: number });
      return;
    }
    this.#pages.answered(this.#page, number);
    if (key.kind === 'disconnect') {
      this.#session.disconnect();
      return;
    }
    try {
      const requestNumber = `${this.#page}.${number}`;
      refuse(await enter(this.#session, { ...submission, key, sessionCode: this.#code, requestNumber }));
      this.#send({ k: 'a', i: number });
    } catch (error) {
      const refusal =
        error instanceof ServiceError ? error : new ServiceError('SVC_ERR_SERVICE_FAILED', { cause: error });
      if (refusal.code === 'SVC_ERR_SERVICE_FAILED') this.#log.error({ ...this.#session.logged, err: error }, 'submit');
      const { message, exposed } = refusal.description;
      const detail = exposed && refusal.detail !== undefined ? ` ${refusal.detail}` : '';
      this.#send({ k: 'r', i: number, e: refusal.code, m: message + detail });
    }
  }

  #push(): void {
    // what scenarios walk through is not for the user
    if (this.#sending || !this.#greeted || this.#session.end !== undefined || this.#session.hasScenario) return;
    const { screen } = this.#session;
    const circumstances = this.#circumstances();
    if (this.#sent.shows(screen.state.revision, circumstances)) return;
    this.#sending = true;
    this.#socket.send(this.#sent.update(screen.image, circumstances), () => {
      this.#sending = false;
      this.#push();
    });
  }

  #circumstances(): ScreenCircumstances {
    return { lock: lockOf(this.#session), notice: this.#session.notice };
  }

  #send(message: ServerMessage): void {
    this.#socket.send(encodeMessage(message), () => undefined);
  }
}

function lockOf({ screen }: BrowserSession): LockCode {
  const { noPartner, waitingForHost, operatorError, programCheck, programCheckCount } = screen.state.operator;
  if (noPartner) return 2;
  if (programCheck !== undefined) return programCheckLock(programCheck, programCheckCount);
  if (waitingForHost) return 1;
  return operatorError ?? 0;
}
