import type { ScriptedScreen } from './scripted-screen.js';
import type { SessionScenarioEnd, SessionScenarios } from './session-facts.js';

/** Maximum number of consecutive messages of the host that scenarios process before the user's turn. */
const MOST_MESSAGES_IN_A_ROW = 10;

export type MessageFate =
  | 'goesOn'
  | 'withheld'
  /** The scenario sent other input, and the host has answered. */
  | 'answered';

export class MessageScenarios {
  readonly #scenarios: SessionScenarios;
  readonly #screen: ScriptedScreen;
  /** The INPUT scenario has accepted a first message of the host. */
  #hasBegun = false;
  #skipsOutput = false;
  #isWritten = false;
  /** Error of a scenario (ERROR$) that has not been reported yet. */
  #refusal: { readonly error: unknown } | undefined;
  disconnects: 'now' | 'afterMessage' | undefined;
  refreshesTerminal = false;

  constructor(scenarios: SessionScenarios, screen: ScriptedScreen) {
    this.#scenarios = scenarios;
    this.#screen = screen;
  }

  hostWrote(): void {
    this.#isWritten = true;
  }

  /** Runs the scenarios for a message of the host, again if the host has written in the meantime. */
  async lookAtMessage(signal: AbortSignal): Promise<void> {
    let round = 0;
    do {
      this.#isWritten = false;
      await this.#lookOnce(signal);
    } while (this.#isWritten && !signal.aborted && this.disconnects === undefined && ++round < MOST_MESSAGES_IN_A_ROW);
  }

  /** The input is on the screen, without its key. @throws the error of the scenario (ERROR$) */
  async lookAtInput(signal: AbortSignal): Promise<MessageFate> {
    const before = this.#screen.sent;
    const end = await this.#run('INPUT', signal);
    const isAnswered = this.#screen.sent > before;
    if (isAnswered) return 'answered';
    return end?.toTerminal === true || end?.ending === 'fail' ? 'withheld' : 'goesOn';
  }

  take(end: SessionScenarioEnd | undefined): void {
    if (end === undefined) return;
    this.disconnects ??= end.disconnects;
    this.refreshesTerminal ||= end.refreshesTerminal;
    this.#skipsOutput = end.skipsOutput;
  }

  takeRefusal(): unknown {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal?.error;
  }

  async #lookOnce(signal: AbortSignal): Promise<void> {
    try {
      if (!this.#hasBegun && this.#scenarios.has('INPUT')) {
        const end = await this.#run('INPUT', signal);
        this.#hasBegun = end?.ending !== 'fail';
      }
      if (this.#skipsOutput) this.#skipsOutput = false;
      else if (this.#scenarios.has('OUTPUT')) {
        await this.#run('OUTPUT', signal);
        this.#skipsOutput = false;
      }
    } catch (error) {
      if (!signal.aborted) this.#refusal = { error };
    }
  }

  async #run(kind: 'INPUT' | 'OUTPUT', signal: AbortSignal): Promise<SessionScenarioEnd | undefined> {
    const end = await this.#scenarios.run(kind, this.#screen, signal);
    this.#isWritten = false;
    this.#screen.noteLook();
    this.take(end);
    return end;
  }
}
