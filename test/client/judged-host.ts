import { type ReceivedScreen, receivedScreen } from '../../src/terminal/protocol/received-screen.js';
import type { LookAnswer, LookQuestion, WholeScreenMessage } from '../../src/terminal/protocol/server-message.js';
import { type HostLook, lookAtHost } from '../../src/tn3270/conversation/look.js';
import type { StepContext } from '../../src/tn3270/conversation/step.js';
import { Waiters } from '../../src/tn3270/conversation/waiters.js';
import type { ScreenImage } from '../../src/tn3270/screen/screen-image.js';

/** The server's side of a modelled terminal: its judgement is the server's own, of what the host has shown. */
export class JudgedHost implements StepContext {
  readonly end = undefined;
  readonly programCheck = undefined;
  readonly #waiters = new Waiters(() => false);
  #screen: ReceivedScreen;
  #awaitsAnswer = false;

  constructor(message: WholeScreenMessage) {
    this.#screen = screenOf(message);
  }

  get image(): ScreenImage {
    return imageOf(this.#screen);
  }

  get isSettled(): boolean {
    return !this.#awaitsAnswer && this.#screen.lock === 0;
  }

  keySent(): void {
    this.#awaitsAnswer = true;
  }

  keyRefused(): void {
    this.#awaitsAnswer = false;
  }

  wrote(message: WholeScreenMessage): void {
    this.#screen = screenOf(message);
    if (message.l !== 1) this.#awaitsAnswer = false;
    this.#waiters.tell();
  }

  act(): never {
    throw new Error('pages act by themselves');
  }

  waitUntilSettled(holds: () => boolean, wait: Parameters<StepContext['waitUntilSettled']>[1]) {
    return this.#waiters.wait(() => this.isSettled && holds(), wait);
  }

  async look({ hostMilliseconds, screens, screenMilliseconds = 0, read }: LookQuestion): Promise<LookAnswer> {
    const { signal } = new AbortController();
    const question = { hostMilliseconds, screens, screenMilliseconds, read, signal };
    return (await lookAtHost(this, question)) as Exclude<HostLook, { kind: 'hostGone' }>;
  }
}

function screenOf(message: WholeScreenMessage): ReceivedScreen {
  const screen = receivedScreen(undefined, message);
  if (screen === undefined) throw new Error('a whole screen is taken always');
  return screen;
}

export function imageOf({ revision, erased, rows, columns, cursor, lock, cells, fields }: ReceivedScreen): ScreenImage {
  const shownFields = fields.map(({ colour: foreground, ...field }) => ({ ...field, foreground, outlining: 0 }));
  const state = { formatted: fields.length > 0, locked: lock !== 0, operatorError: undefined, insertMode: false };
  return { revision, erased, rows, columns, cursor, ...state, alarms: 0, cells, fields: shownFields, runs: [] };
}
