import { DOUBT_MILLISECONDS } from './protocol-probe.js';

/** Finds out why a host has sent nothing yet. Hosts may be slow: nothing ends because of it. */
export class SilentHost {
  readonly #diagnose: (() => Promise<string | undefined>) | undefined;
  readonly #tell: (reason: string | undefined) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #reason: string | undefined;

  /** @param tell told the reason when it is known; undefined: the host has spoken after all */
  constructor(diagnose: (() => Promise<string | undefined>) | undefined, tell: (reason: string | undefined) => void) {
    this.#diagnose = diagnose;
    this.#tell = tell;
  }

  /** Why the host is silent; undefined: it has spoken, or the reason is not known. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** The connection is there. */
  begin(): void {
    const diagnose = this.#diagnose;
    if (diagnose === undefined || this.#isOver) return;
    this.#timer = setTimeout(async () => {
      const reason = await diagnose();
      if (this.#isOver || reason === undefined) return;
      this.#reason = reason;
      this.#tell(reason);
    }, DOUBT_MILLISECONDS);
  }

  /** The host has spoken. */
  spoke(): void {
    if (this.#isOver) return;
    this.end();
    const { reason } = this;
    this.#reason = undefined;
    if (reason !== undefined) this.#tell(undefined);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
