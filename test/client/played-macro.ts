import { MacroPlayer, type StepDecision } from '../../client/terminal/macros/model/macro-player.js';
import { PlayedTerminal } from '../../client/terminal/macros/model/played-terminal.js';
import { BrowserTerminal } from '../../client/terminal/model/browser-terminal.js';
import type { Macro } from '../../src/macros/macro-set.js';
import type { MacroStep } from '../../src/macros/macro-step.js';
import type { LookQuestion, WholeScreenMessage } from '../../src/terminal/protocol/server-message.js';
import { eventually } from '../support/eventually.js';
import { JudgedHost } from './judged-host.js';
import { whole } from './modelled-form.js';

/** A terminal with a macro on it, and the host behind. */
export class Stage {
  readonly keys: string[] = [];
  readonly sentAsIs: string[] = [];
  readonly asked: string[] = [];
  readonly progress: number[] = [];
  /** Called when a key has gone to the host. */
  pressed = () => {};
  answer: () => Promise<string | undefined> = async () => 'hush7';
  breach: string | undefined;
  /** The server says nothing before. */
  silence: Promise<void> | undefined;
  turns = 0;
  readonly #host: JudgedHost;
  #revision = 17;
  readonly model: BrowserTerminal;
  readonly player: MacroPlayer;
  /** What the user decides at each step; undefined: the macro is not played step by step. */
  readonly #decisions: StepDecision[] | undefined;
  readonly shownSteps: string[] = [];

  constructor(
    members: Partial<WholeScreenMessage> = {},
    answerMilliseconds = 5_000,
    screenMilliseconds?: number,
    decisions?: readonly StepDecision[],
  ) {
    this.#decisions = decisions && [...decisions];
    this.model = new BrowserTerminal({
      attention: (key) => {
        this.model.submitted(key, true);
        this.keys.push(key);
        this.#host.keySent();
        this.pressed();
      },
    });
    this.model.receive(whole(members));
    this.#host = new JudgedHost(whole(members));
    const terminal = new PlayedTerminal(this.model, {
      send: (key) => this.sentAsIs.push(key),
      breach: () => this.breach,
      show: () => {
        this.turns++;
      },
    });
    const port = {
      ask: (question: string, _: object | undefined, over: AbortSignal) => {
        this.asked.push(question);
        const stopped = new Promise<undefined>((resolve) => over.addEventListener('abort', () => resolve(undefined)));
        return Promise.race([this.answer(), stopped]);
      },
      progress: (step: number) => this.progress.push(step),
      look: async (question: LookQuestion) => {
        await this.silence;
        return this.#host.look(question);
      },
    };
    const next = async (line: string) => {
      this.shownSteps.push(line);
      return this.#decisions?.shift() ?? 'playOne';
    };
    const stepped = decisions === undefined ? port : { ...port, next };
    this.player = new MacroPlayer(terminal, stepped, answerMilliseconds, screenMilliseconds);
  }

  play(...def: readonly MacroStep[]) {
    return this.player.play({ name: 'm', def } satisfies Macro);
  }

  /** The server did not press the key: another screen was there. */
  refuse(): void {
    this.#host.keyRefused();
    this.model.refused();
    this.player.refused();
  }

  /** The server has carried out the key; the host shows something, and frees the keyboard or not. */
  host(members: Partial<WholeScreenMessage> = {}): void {
    const message = whole({ r: ++this.#revision, ...members });
    this.model.carriedOut();
    this.model.receive(message);
    this.#host.wrote(message);
    this.player.notice();
  }

  async sees(...keys: readonly string[]): Promise<void> {
    await eventually(() => this.keys.join() === keys.join() || undefined);
  }
}
