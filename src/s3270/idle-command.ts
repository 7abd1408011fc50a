import { ActionError } from './action-error.js';
import { nothingMore, readAction } from './action-syntax.js';
import { findAction } from './action-table.js';
import { Script } from './script.js';
import type { ScriptedTerminal } from './scripted-terminal.js';

export interface IdleActions {
  readonly actions: string;
  readonly milliseconds: number;
  /** Varies the time by up to 10 %. */
  readonly varies: boolean;
}

const VARIATION = 0.1;

/** Runs the actions if no script line was started for this time, in 3270 mode only. Stops after the first failure. */
export class IdleCommand {
  readonly #terminal: ScriptedTerminal;
  readonly #idle: IdleActions;
  readonly #script: Script;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: ScriptedTerminal, idle: IdleActions) {
    this.#terminal = terminal;
    this.#idle = idle;
    this.#script = new Script(terminal, 'idle');
    this.#wait(this.#period());
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#script.close();
  }

  #period(): number {
    const { milliseconds, varies } = this.#idle;
    return varies ? milliseconds * (1 + VARIATION * (2 * Math.random() - 1)) : milliseconds;
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#look(milliseconds), milliseconds);
  }

  async #look(waited: number): Promise<void> {
    const left = this.#terminal.actedAt + waited - performance.now();
    if (left >= 1) {
      this.#timer = setTimeout(() => void this.#look(waited), left);
      return;
    }
    if (this.#terminal.isIn3270Mode) {
      const { lines, succeeded } = await this.#script.answerLine(this.#idle.actions);
      if (!succeeded) {
        const errors = lines.filter(({ isError }) => isError).map(({ text }) => `${text}\n`);
        this.#terminal.tools.tell(`Idle command failed: ${errors.join('')}`);
        return;
      }
    }
    if (!this.#script.isClosed) this.#wait(this.#period());
  }
}

export function faultOfActions(line: string): string | undefined {
  for (let rest = line; !nothingMore.test(rest); ) {
    const read = readAction(rest);
    if (read.kind === 'fault') return read.fault;
    try {
      findAction(read.value.name);
    } catch (error) {
      if (error instanceof ActionError) return error.message;
      throw error;
    }
    rest = read.value.rest;
  }
  return undefined;
}
