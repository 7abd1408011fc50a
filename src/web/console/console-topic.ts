import type { Actor } from '../../access/audit/audit-entry.js';
import type { Role } from '../../access/users/security-database.js';

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
