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

export interface SessionFacts {
  readonly line: string;
  readonly entryPoint: string;
  readonly transaction: string;
  readonly application: string;
  readonly address: string;
  /** Directory of the first page. Subpages are searched there first. */
  readonly directory: string;
  /** The part of the URL after the transaction. */
  readonly routingParameter: string;
  /** Signed-on user and default group; empty without sign-on. */
  readonly user: string;
  readonly group: string;
}

/** Grace period after the close message of a page, because reloaded pages send one too. */
export const RELOAD_MILLISECONDS = 10_000;

/**
 * Time for the request after the first page, unless the page has a SET-INITIAL-TIMEOUT. Otherwise a program that never
 * sends a second request would occupy its place for the idle time (default: 12 hours).
 */
export const FIRST_REQUEST_MILLISECONDS = 101_000;

export interface SessionTimes {
  readonly idleMilliseconds: number;
  readonly initialMilliseconds: number;
  readonly awayMilliseconds: number;
}

export interface BrowserSessionOptions {
  /** Node name for session codes; undefined if there is only one node. */
  readonly node: string | undefined;
  readonly facts: SessionFacts;
  readonly times: SessionTimes;
  readonly host: HostSessionOptions;
  /** If undefined, the first page with a configured crypt name decides. */
  readonly crypt: CryptDefinition | undefined;
  readonly takeKeyPair: (bits: number) => Promise<KeyPair>;
  readonly logonScript: readonly ScriptStep[];
  readonly logoffScript: readonly ScriptStep[];
  readonly scenarios: SessionScenarios;
  readonly rules: SessionRules;
  readonly transfers: SessionTransfers;
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

export interface TransferRule {
  readonly mostBytes: number;
}

interface TransferredFile {
  readonly direction: 'send' | 'receive';
  readonly hostFile: string;
  readonly bytes: number | undefined;
  readonly from: string;
}

/** Rules of the transaction. Permissions of the user are checked at the time of each action. */
export interface SessionRules {
  /** Undefined if the transaction, or this user, may not transfer files. */
  transfer(): Promise<TransferRule | undefined>;
  /**
   * Writes an audit entry before a transfer, and one with its outcome afterwards.
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE before `make` is called; the error of `make`
   */
  record<T>(file: TransferredFile, make: () => Promise<T>): Promise<T>;
}

/** Scenarios of a transaction (reference 4.1). */
export type SessionScenarioKind = 'INITIAL' | 'INPUT' | 'OUTPUT' | 'FINAL';

export interface SessionScenarioEnd {
  readonly ending: 'end' | 'discard' | 'success' | 'fail';
  readonly disconnects: 'now' | 'afterMessage' | undefined;
  readonly toTerminal: boolean;
  readonly refreshesTerminal: boolean;
  readonly skipsOutput: boolean;
}

/** Runs the scenarios of a session, and keeps their variables and chosen pages. */
export interface SessionScenarios {
  /** False also after a scenario of this kind has abended. */
  has(kind: SessionScenarioKind): boolean;
  /**
   * Runs a scenario. A scenario that abends is not run again in this session.
   * @returns undefined if there is none, or if it abended
   * @throws the error of the scenario (ERROR$)
   */
  run(kind: SessionScenarioKind, screen: ScriptedScreen, signal: StopSignal): Promise<SessionScenarioEnd | undefined>;
  valuesOf(variable: string): readonly string[] | undefined;
  /** Call when the user's input has been sent to the application: settings of earlier scenarios expire. */
  userResponded(): void;
}
