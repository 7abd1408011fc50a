import type { StopSignal } from '../lib/stop-signal.js';
import type { ScriptedScreen } from './scripted-screen.js';

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
