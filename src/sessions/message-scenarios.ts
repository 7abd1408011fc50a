import type { ScriptedScreen } from './scripted-screen.js';
import type { SessionScenarioEnd, SessionScenarios } from './session-facts.js';

/** Messages of the host in a row that are looked at without the user having his turn. */
const MOST_MESSAGES_IN_A_ROW = 10;

/** What becomes of a message of the user. */
export type MessageFate =
  /** It goes to the host. */
  | 'goesOn'
  /** It goes nowhere. */
  | 'withheld'
  /** The scenario has sent something in its place, and the host has answered. */
  | 'answered';

/** The INPUT and OUTPUT scenarios of a session: when they run, and what they ask of it. */
export class MessageScenarios {
  readonly #scenarios: SessionScenarios;
  readonly #screen: ScriptedScreen;
  /** The INPUT scenario has accepted a first message of the host. */
  #hasBegun = false;
  #skipsOutput = false;
  #isWritten = false;
  /** What a scenario has refused (ERROR$), until somebody is told. */
  #refusal: { readonly error: unknown } | undefined;
  disconnects: 'now' | 'afterMessage' | undefined;
  refreshesTerminal = false;

  constructor(scenarios: SessionScenarios, screen: ScriptedScreen) {
    this.#scenarios = scenarios;
    this.#screen = screen;
  }

  /** The host has written while scenarios have the screen. */
  hostWrote(): void {
    this.#isWritten = true;
  }

  /** Runs what looks at a message of the host; again where the host has written meanwhile, unasked. */
  async lookAtMessage(signal: AbortSignal): Promise<void> {
    let round = 0;
    do {
      this.#isWritten = false;
      await this.#lookOnce(signal);
    } while (this.#isWritten && !signal.aborted && this.disconnects === undefined && ++round < MOST_MESSAGES_IN_A_ROW);
  }

  /**
   * Runs the INPUT scenario over a message of the user, which is on the screen but for its key.
   * @throws what the scenario refuses
   */
  async lookAtInput(signal: AbortSignal): Promise<MessageFate> {
    const before = this.#screen.sent;
    const end = await this.#run('INPUT', signal);
    const isAnswered = this.#screen.sent > before;
    if (isAnswered) return 'answered';
    return end?.toTerminal === true || end?.ending === 'fail' ? 'withheld' : 'goesOn';
  }

  /** Takes over what the INITIAL or FINAL scenario asks for. */
  take(end: SessionScenarioEnd | undefined): void {
    if (end === undefined) return;
    this.disconnects ??= end.disconnects;
    this.refreshesTerminal ||= end.refreshesTerminal;
    this.#skipsOutput = end.skipsOutput;
  }

  /** What a scenario has refused since this was asked last. */
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
