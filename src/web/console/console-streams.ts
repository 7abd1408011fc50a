import type { ServerResponse } from 'node:http';
import type { Actor } from '../../access/audit/audit-entry.js';
import type { Role, SecurityUser } from '../../access/users/security-database.js';
import { ServiceError } from '../../lib/errors.js';
import { hasRole } from '../sign-on/site-security.js';

/** In all, and of one user. A browser has one for each page that is in sight. */
const MOST_STREAMS = 64;
const MOST_STREAMS_OF_USER = 8;
/** Of one stream. */
const MOST_TOPICS = 4;
/** A topic with its parameter. */
const TOPIC_NAME = /^[\w:-]{1,800}$/;
/** How often pages are told what is new. */
const TELL_MILLISECONDS = 1_000;
/** How often it is looked whether they still may be. */
const REVIEW_MILLISECONDS = 3_000;

/** The live pages of the console. All of them are told in one turn, so that what they have in common is made once. */
export class ConsoleStreams {
  readonly #topics: ReadonlyMap<string, ConsoleTopic>;
  readonly #streams = new Set<ConsoleStream>();
  #timers: readonly NodeJS.Timeout[] = [];
  #isStopping = false;

  /** @param topics by their names */
  constructor(topics: ReadonlyMap<string, ConsoleTopic>) {
    this.#topics = topics;
  }

  /**
   * Opens a stream; nothing is told before it is begun.
   * @param names of topics, with their parameters
   * @param ofSite topics that are of the line alone at which the page is
   * @throws ServiceError SVC_ERR_REQUEST_PARAMETERS, SVC_ERR_SIGNON_ROLE, SVC_ERR_SERVICE_BUSY, and what a topic throws
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
        const feed = await topic.open({ actor, role: viewer.user.role, parameter, wake: stream.wake });
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

  /** Ends all of them, and opens no more. */
  close(): void {
    this.#isStopping = true;
    for (const stream of [...this.#streams]) stream.end('stopping');
  }

  #wanted(
    names: readonly string[],
    ofSite: ReadonlyMap<string, ConsoleTopic>,
  ): readonly { name: string; topic: ConsoleTopic; parameter: string }[] {
    if (names.length === 0 || names.length > MOST_TOPICS || new Set(names).size !== names.length) {
      const detail = `A stream has 1 to ${MOST_TOPICS} topics, each once.`;
      throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail });
    }
    return names.map((name) => {
      const [kind = '', parameter = ''] = name.split(/:(.*)/s, 2);
      const topic = this.#topics.get(kind) ?? ofSite.get(kind);
      if (topic !== undefined && TOPIC_NAME.test(name)) return { name, topic, parameter };
      throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: 'There is no such topic.' });
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

/** Who looks at a page. */
interface ConsoleViewer {
  readonly user: SecurityUser;
  /** The user as of then; undefined: the sign-on is over. Does not count as something that the user does. */
  current(): Promise<SecurityUser | undefined>;
}

interface OpenFeed {
  /** Of the topic, with its parameter: that of its events. */
  readonly name: string;
  readonly role: Role;
  readonly feed: TopicFeed;
}

/** Why the server ends a stream. */
type StreamEnd = 'signedOff' | 'role' | 'stopping';

/** Proxies cut off what says nothing for longer. */
const HEARTBEAT_MILLISECONDS = 15_000;
/** A page that takes nothing for so long is gone. */
const STUCK_MILLISECONDS = 30_000;
const WAKE_MILLISECONDS = 100;

/** Events for one page (HTML Living Standard, section 9.2): what is new of its topics, gathered, and no more than it takes. */
export class ConsoleStream {
  readonly #viewer: ConsoleViewer;
  readonly #feeds: readonly OpenFeed[];
  readonly #closed: (stream: ConsoleStream) => void;
  #response: ServerResponse | undefined;
  #isOver = false;
  #lastWrite = performance.now();
  #wakeTimer: NodeJS.Timeout | undefined;

  /** @param closed called once, whoever has ended it */
  constructor(viewer: ConsoleViewer, feeds: readonly OpenFeed[], closed: (stream: ConsoleStream) => void) {
    this.#viewer = viewer;
    this.#feeds = feeds;
    this.#closed = closed;
  }

  get user(): string {
    return this.#viewer.user.name;
  }

  /** @param response whose head is written */
  begin(response: ServerResponse): void {
    if (this.#isOver) {
      response.end();
      return;
    }
    this.#response = response;
    response.on('close', () => this.close());
    // that it is open, whether or not there is something to tell
    this.#write(':\n\n');
    this.tell();
  }

  /** Tells what is new. */
  tell(): void {
    const response = this.#response;
    if (response === undefined || this.#isOver) return;
    const silent = performance.now() - this.#lastWrite;
    if (response.writableNeedDrain) {
      // what it is told later is the state of then
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

  /** Tells soon; of many calls in between one counts. */
  readonly wake = (): void => {
    if (this.#isOver) return;
    this.#wakeTimer ??= setTimeout(() => {
      this.#wakeTimer = undefined;
      this.tell();
    }, WAKE_MILLISECONDS).unref();
  };

  /** Ends it where its user has signed off, or may not see it any more. While users cannot be asked it goes on. */
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

  /** Nobody is told anything any more. */
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

/** What one page is told of a topic. */
export interface TopicFeed {
  /** JSON of what is new since it was asked last; undefined: nothing. */
  next(): string | undefined;
  /** The page has gone. */
  close?(): void;
}

/** Who opens a topic, and what for. */
export interface TopicRequest {
  /** For the audit trail. */
  readonly actor: Actor;
  /** Of whoever looks. */
  readonly role: Role;
  /** Behind the colon of the topic: `screen:4f01a3c2d9e8`; empty where there is none. */
  readonly parameter: string;
  /** Has it asked for what is new soon, and not only in its turn. */
  readonly wake: () => void;
}

/** Something of the server that pages of the console show as it changes. */
export interface ConsoleTopic {
  /** The least role that may be told of it. */
  readonly role: Role;
  /** @throws ServiceError where it cannot be had */
  open(request: TopicRequest): TopicFeed | Promise<TopicFeed>;
}
