import type { CryptDefinition } from '../crypto/crypt-definition.js';
import type { KeyPair } from '../crypto/key-pair.js';
import type { Log } from '../lib/log/log.js';
import type { Conversation } from '../tn3270/conversation/conversation.js';
import { SessionLog } from '../tn3270/conversation/session-log.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import type { ScriptStep } from './connection-script.js';
import type { SessionRules } from './session-rules.js';
import type { SessionScenarios } from './session-scenarios.js';
import type { SessionTransfers } from './session-transfers.js';

/** What a browser session is for; none of it changes. */
export interface SessionFacts {
  readonly line: string;
  readonly entryPoint: string;
  /** External name. */
  readonly transaction: string;
  /** Name of the host. */
  readonly application: string;
  /** Of the client that began it. */
  readonly address: string;
  /** Where its first page was found: subpages are looked for there first. */
  readonly directory: string;
  /** Follows the transaction in the URL. */
  readonly routingParameter: string;
  /** Who has signed on to Sallyport, and the default group; empty: nobody has. */
  readonly user: string;
  readonly group: string;
}

/** A page that is loaded again says that it was closed, too. */
export const RELOAD_MILLISECONDS = 10_000;

/**
 * For the request that follows the first page, unless the page has a SET-INITIAL-TIMEOUT. A program that never follows its first page
 * would otherwise hold its place for the idle time, 12 hours by default.
 */
export const FIRST_REQUEST_MILLISECONDS = 101_000;

export interface SessionTimes {
  /** Without a message of the user. */
  readonly idleMilliseconds: number;
  /** Until the client comes again for the first time. */
  readonly initialMilliseconds: number;
  /** Between the page that was closed and the next one. */
  readonly awayMilliseconds: number;
}

export interface BrowserSessionOptions {
  /** Of its server, in its codes; undefined: there is only one. */
  readonly node: string | undefined;
  readonly facts: SessionFacts;
  readonly times: SessionTimes;
  readonly host: HostSessionOptions;
  /** Undefined: the first page that asks for a configured crypt name decides. */
  readonly crypt: CryptDefinition | undefined;
  readonly takeKeyPair: (bits: number) => Promise<KeyPair>;
  readonly logonScript: readonly ScriptStep[];
  readonly logoffScript: readonly ScriptStep[];
  readonly scenarios: SessionScenarios;
  readonly rules: SessionRules;
  /** Of all sessions. */
  readonly transfers: SessionTransfers;
  /** A parameter of the URL that began the session. */
  readonly parameter: (name: string) => string | undefined;
  readonly log: Log;
}

export function sessionLog(
  kind: 'browser' | 'scenario',
  { facts, log }: Pick<BrowserSessionOptions, 'facts' | 'log'>,
  conversation: Conversation,
): SessionLog {
  const { user, line, transaction, application: host, address: remoteAddress } = facts;
  return new SessionLog(log, conversation, { kind, user, line, transaction, host, remoteAddress });
}
