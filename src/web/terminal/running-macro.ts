import type { BrowserSession } from '../../sessions/browser-session.js';
import type { LookAnswer, LookQuestion } from '../../terminal/protocol/server-message.js';

const LONGEST_MACRO_MILLISECONDS = 30 * 60_000;

interface Player {
  readonly page: number;
}

interface Playing {
  readonly player: Player;
  readonly name: string;
  readonly timer: NodeJS.Timeout;
  look: AbortController | undefined;
}

type Told = (playing: { readonly name: string; readonly page: number } | undefined) => void;

/** The macro running in a session: at most one. All pages of the session are notified. */
export class RunningMacro {
  readonly #session: BrowserSession;
  readonly #pages = new Set<Told>();
  #playing: Playing | undefined;

  constructor(session: BrowserSession) {
    this.#session = session;
  }

  /** Notifies a page of macros, at once if one is running. @returns function that ends the notifications */
  watch(tell: Told): () => void {
    this.#pages.add(tell);
    if (this.#playing !== undefined) this.#tell([tell]);
    return () => this.#pages.delete(tell);
  }

  /** If another page is running a macro, that macro continues and only `tell` is notified. */
  begin(player: Player, name: string, tell: Told): void {
    if (this.#playing !== undefined && this.#playing.player !== player) {
      this.#tell([tell]);
      return;
    }
    this.#stop();
    const timer = setTimeout(() => this.end(player), LONGEST_MACRO_MILLISECONDS).unref();
    this.#playing = { player, name, timer, look: undefined };
    this.#tell(this.#pages);
  }

  end(player: Player): void {
    if (this.#playing?.player !== player) return;
    this.#stop();
    this.#tell(this.#pages);
  }

  /** @returns undefined if the answer is no longer needed: another question arrived, or the host session has ended */
  async look(player: Player, question: LookQuestion): Promise<LookAnswer | undefined> {
    const playing = this.#playing;
    if (playing?.player !== player) return { kind: 'over' };
    playing.look?.abort();
    const look = new AbortController();
    playing.look = look;
    const { hostMilliseconds, screens, screenMilliseconds = 0, read } = question;
    try {
      const wanted = { hostMilliseconds, screens, screenMilliseconds, read, signal: look.signal };
      const found = await this.#session.guarded.look(wanted);
      return found.kind === 'hostGone' ? undefined : found;
    } catch (error) {
      if (!look.signal.aborted) throw error;
      return this.#playing === playing ? undefined : { kind: 'over' };
    }
  }

  #stop(): void {
    clearTimeout(this.#playing?.timer);
    this.#playing?.look?.abort();
    this.#playing = undefined;
  }

  #tell(pages: Iterable<Told>): void {
    const playing = this.#playing;
    for (const tell of [...pages]) tell(playing && { name: playing.name, page: playing.player.page });
  }
}

const stages = new WeakMap<BrowserSession, RunningMacro>();

export function runningMacroOf(session: BrowserSession): RunningMacro {
  let stage = stages.get(session);
  if (stage === undefined) {
    stage = new RunningMacro(session);
    stages.set(session, stage);
  }
  return stage;
}
