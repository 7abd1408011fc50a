import type { ServerResponse } from 'node:http';
import type { Role, SecurityUser } from '../../access/users/security-database.js';
import { hasRole } from '../sign-on/role-rank.js';
import type { TopicFeed } from './console-topic.js';

/** Who looks at a page. */
export interface ConsoleViewer {
  readonly user: SecurityUser;
  /** The user as of then; undefined: the sign-on is over. Does not count as something that the user does. */
  current(): Promise<SecurityUser | undefined>;
}

export interface OpenFeed {
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
