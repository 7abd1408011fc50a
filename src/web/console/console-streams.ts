import type { ServerResponse } from 'node:http';
import type { Actor } from '../../access/audit/audit-entry.js';
import type { Role, SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { Language } from '../../lib/locale.js';
import { hasRole } from '../sign-on/site-security.js';

/** In total and per user. A browser opens one stream per visible page. */
const MOST_STREAMS = 64;
const MOST_STREAMS_OF_USER = 8;
const MOST_TOPICS = 4;
const TOPIC_NAME = /^[\w:-]{1,800}$/;
const TELL_MILLISECONDS = 1_000;
const REVIEW_MILLISECONDS = 3_000;

/** The live pages of the console. All streams are updated in one turn, so that common data is computed once. */
export class ConsoleStreams {
  readonly #topics: ReadonlyMap<string, ConsoleTopic>;
  readonly #streams = new Set<ConsoleStream>();
  #timers: readonly NodeJS.Timeout[] = [];
  #isStopping = false;

  constructor(topics: ReadonlyMap<string, ConsoleTopic>) {
    this.#topics = topics;
  }

  /**
   * Opens a stream. It sends nothing before `begin`.
   * @param names topics with their parameters
   * @param ofSite topics available only on the page's line
   * @throws ServiceError SVC_ERR_REQUEST_PARAMETERS, SVC_ERR_SIGNON_ROLE, SVC_ERR_SERVICE_BUSY, and the errors of the
   * topics
   */
  async open(
    viewer: ConsoleViewer,
    actor: Actor,
    names: readonly string[],
    ofSite: ReadonlyMap<string, ConsoleTopic> = new Map(),
  ): Promise<ConsoleStream> {
    const topics = this.#wanted(names, ofSite);
    if (topics.some(({ topic }) => !hasRole(viewer.user, topic.role))) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
    this.#refuseFull(viewer);
    const feeds: OpenFeed[] = [];
    const stream = new ConsoleStream(viewer, feeds, (closed) => this.#closed(closed));
    this.#streams.add(stream);
    try {
      for (const { name, topic, parameter } of topics) {
        const feed = await topic.open({
          actor,
          role: viewer.user.role,
          language: viewer.language ?? 'en',
          parameter,
          wake: stream.wake,
        });
        feeds.push({ name, role: topic.role, feed });
        if (!this.#isStopping) continue;
        feed.close?.();
        throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
      }
    } catch (error) {
      stream.close();
      throw error;
    }
    if (this.#timers.length === 0) this.#begin();
    return stream;
  }

  close(): void {
    this.#isStopping = true;
    for (const stream of [...this.#streams]) stream.end('stopping');
  }

  #wanted(
    names: readonly string[],
    ofSite: ReadonlyMap<string, ConsoleTopic>,
  ): readonly { name: string; topic: ConsoleTopic; parameter: string }[] {
    if (names.length === 0 || names.length > MOST_TOPICS || new Set(names).size !== names.length) {
      const values = { most: MOST_TOPICS };
      throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.topics', values } });
    }
    return names.map((name) => {
      const [kind = '', parameter = ''] = name.split(/:(.*)/s, 2);
      const topic = this.#topics.get(kind) ?? ofSite.get(kind);
      if (topic !== undefined && TOPIC_NAME.test(name)) return { name, topic, parameter };
      throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.topic' } });
    });
  }

  #refuseFull({ user }: ConsoleViewer): void {
    if (this.#isStopping) throw new ServiceError('SVC_ERR_SERVICE_STOPPING');
    const ofUser = [...this.#streams].filter((stream) => stream.user === user.name).length;
    if (this.#streams.size >= MOST_STREAMS || ofUser >= MOST_STREAMS_OF_USER) {
      throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    }
  }

  #begin(): void {
    const each = (act: (stream: ConsoleStream) => void) => () => {
      for (const stream of [...this.#streams]) act(stream);
    };
    this.#timers = [
      setInterval(
        each((stream) => stream.tell()),
        TELL_MILLISECONDS,
      ).unref(),
      setInterval(
        each((stream) => void stream.review()),
        REVIEW_MILLISECONDS,
      ).unref(),
    ];
  }

  #closed(stream: ConsoleStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }
}

interface ConsoleViewer {
  readonly user: SecurityUser;
  /** Of the page. English if it is missing. */
  readonly language?: Language;
  /** Current data; undefined if the sign-on has ended. Does not extend the sign-on. */
  current(): Promise<SecurityUser | undefined>;
}

interface OpenFeed {
  readonly name: string;
  readonly role: Role;
  readonly feed: TopicFeed;
}

type StreamEnd = 'signedOff' | 'role' | 'stopping';

/** Proxies close connections that are silent for longer. */
const HEARTBEAT_MILLISECONDS = 15_000;
const STUCK_MILLISECONDS = 30_000;
const WAKE_MILLISECONDS = 100;

/**
 * Server-sent events for one page (HTML Living Standard, section 9.2). Updates are combined, and a slow page skips
 * intermediate states.
 */
export class ConsoleStream {
  readonly #viewer: ConsoleViewer;
  readonly #feeds: readonly OpenFeed[];
  readonly #closed: (stream: ConsoleStream) => void;
  #response: ServerResponse | undefined;
  #isOver = false;
  #lastWrite = performance.now();
  #wakeTimer: NodeJS.Timeout | undefined;

  constructor(viewer: ConsoleViewer, feeds: readonly OpenFeed[], closed: (stream: ConsoleStream) => void) {
    this.#viewer = viewer;
    this.#feeds = feeds;
    this.#closed = closed;
  }

  get user(): string {
    return this.#viewer.user.name;
  }

  /** @param response its head must be written already */
  begin(response: ServerResponse): void {
    if (this.#isOver) {
      response.end();
      return;
    }
    this.#response = response;
    response.on('close', () => this.close());
    // a comment shows that the stream is open
    this.#write(':\n\n');
    this.tell();
  }

  tell(): void {
    const response = this.#response;
    if (response === undefined || this.#isOver) return;
    const silent = performance.now() - this.#lastWrite;
    if (response.writableNeedDrain) {
      if (silent > STUCK_MILLISECONDS) response.destroy();
      return;
    }
    const texts = this.#feeds.flatMap(({ name, feed }) => {
      const data = feed.next();
      return data === undefined ? [] : [`event: ${name}\ndata: ${data}\n\n`];
    });
    if (texts.length > 0) this.#write(texts.join(''));
    else if (silent > HEARTBEAT_MILLISECONDS) this.#write(':\n\n');
  }

  /** Sends updates soon; several calls are combined. */
  readonly wake = (): void => {
    if (this.#isOver) return;
    this.#wakeTimer ??= setTimeout(() => {
      this.#wakeTimer = undefined;
      this.tell();
    }, WAKE_MILLISECONDS).unref();
  };

  /**
   * Ends the stream if its user has signed off or lost the permission. The stream continues while users cannot be
   * checked.
   */
  async review(): Promise<void> {
    const user = await this.#viewer.current().catch(() => this.#viewer.user);
    if (user === undefined) this.end('signedOff');
    else if (this.#feeds.some(({ role }) => !hasRole(user, role))) this.end('role');
  }

  end(reason: StreamEnd): void {
    if (this.#isOver) return;
    this.#write(`event: end\ndata: ${JSON.stringify(reason)}\n\n`);
    this.#response?.end();
    this.close();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#wakeTimer);
    for (const { feed } of this.#feeds) feed.close?.();
    this.#closed(this);
  }

  #write(text: string): void {
    this.#lastWrite = performance.now();
    this.#response?.write(text);
  }
}

export interface TopicFeed {
  /** JSON of the changes since the last call; undefined if there are none. */
  next(): string | undefined;
  close?(): void;
}

export interface TopicRequest {
  readonly actor: Actor;
  readonly role: Role;
  readonly language: Language;
  /** Text after the colon of the topic, for example of `screen:4f01a3c2d9e8`; may be empty. */
  readonly parameter: string;
  /** Requests a call of `next` before the regular interval. */
  readonly wake: () => void;
}

export interface ConsoleTopic {
  readonly role: Role;
  open(request: TopicRequest): TopicFeed | Promise<TopicFeed>;
}
