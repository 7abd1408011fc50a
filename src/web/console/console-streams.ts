import type { Actor } from '../../access/audit/audit-entry.js';
import { ServiceError } from '../../lib/errors.js';
import { hasRole } from '../sign-on/role-rank.js';
import { ConsoleStream, type ConsoleViewer, type OpenFeed } from './console-stream.js';
import type { ConsoleTopic } from './console-topic.js';

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
