const RECONNECT_MILLISECONDS = 2_000;

/** A host that is gone, and is to be connected with anew in a while. */
export class WaitingReconnect {
  #timer: NodeJS.Timeout | undefined;

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  begin(reconnect: () => Promise<void>): void {
    this.#timer = setTimeout(() => {
      this.cancel();
      reconnect().catch(() => undefined);
    }, RECONNECT_MILLISECONDS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
