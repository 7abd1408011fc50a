import type { CryptDefinition } from '../crypto/crypt-definition.js';
import type { KeyPair } from '../crypto/key-pair.js';
import type { Log } from '../lib/log/log.js';
import type { StopSignal } from '../lib/stop-signal.js';
import type { Conversation } from '../tn3270/conversation/conversation.js';
import { SessionLog } from '../tn3270/conversation/session-log.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import type { ScriptStep } from './connection-script.js';
import type { ScriptedScreen } from './scripted-screen.js';
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

/** The bound of files that the user of a session transfers. */
export interface TransferRule {
  /** Of one file. */
  readonly mostBytes: number;
}

/** One file, as the audit trail names it. */
interface TransferredFile {
  readonly direction: 'send' | 'receive';
  readonly hostFile: string;
  /** Of a file that is sent. */
  readonly bytes: number | undefined;
  /** Address of the client that asks for it. */
  readonly from: string;
}

/** The rules of a session's transaction, applied to its user at the moment of each act. */
export interface SessionRules {
  /** Undefined: the transaction transfers no files, or not for this user. */
  transfer(): Promise<TransferRule | undefined>;
  /**
   * Records a transfer in the audit trail before it begins, and its outcome afterwards.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE before `make` is called; the error of `make`
   */
  record<T>(file: TransferredFile, make: () => Promise<T>): Promise<T>;
}

/** The scenarios of a transaction that a session runs (reference 4.1). */
export type SessionScenarioKind = 'INITIAL' | 'INPUT' | 'OUTPUT' | 'FINAL';

/** What a run asks of its session. */
export interface SessionScenarioEnd {
  readonly ending: 'end' | 'discard' | 'success' | 'fail';
  /** The host session ends: at once, or when the next page has gone to the browser. */
  readonly disconnects: 'now' | 'afterMessage' | undefined;
  /** What the user sent is not sent on; the screen is shown as it is. */
  readonly toTerminal: boolean;
  /** Pages that ask whether anything has changed are told so. */
  readonly refreshesTerminal: boolean;
  /** No OUTPUT scenario looks at what the host has answered. */
  readonly skipsOutput: boolean;
}

/** Runs the scenarios of a session, and keeps what they leave: variables, and the pages that they choose. */
export interface SessionScenarios {
  /** Whether there is one of this kind that has not been given up. */
  has(kind: SessionScenarioKind): boolean;
  /**
   * Runs one. One that abends is given up for the session.
   * @returns undefined where it has none, or was given up
   * @throws what the scenario refuses (ERROR$)
   */
  run(kind: SessionScenarioKind, screen: ScriptedScreen, signal: StopSignal): Promise<SessionScenarioEnd | undefined>;
  valuesOf(variable: string): readonly string[] | undefined;
  /** A message of the user has gone to the application: what scenarios have set since the session began is over. */
  userResponded(): void;
}
