import { maskSecrets } from './mask-secrets.js';
import type { WalkOutcome } from './run-steps.js';

/** Bytes of all that is remembered of a session. */
const MOST_BYTES = 8_192;

/**
 * Secrets that calls have brought to a session: its host may show them later, to callers who do not have them. They are kept as bytes
 * for as long as the session lasts.
 */
export class TypedSecrets {
  readonly #values: Uint8Array[] = [];
  #room = MOST_BYTES;
  #isFull = false;

  remember(secrets: readonly string[]): void {
    for (const secret of secrets) {
      const bytes = Buffer.from(secret);
      if (this.#values.some((known) => bytes.equals(known))) continue;
      if (bytes.length > this.#room) this.#isFull = true;
      else {
        this.#room -= bytes.length;
        this.#values.push(bytes);
      }
    }
  }

  /** A failed walk as it may be told. Where there were more secrets than can be remembered, nobody is shown a screen. */
  hide(outcome: WalkOutcome): WalkOutcome {
    if (outcome.kind !== 'failed') return outcome;
    const known = this.#values.map((bytes) => new TextDecoder().decode(bytes));
    const masked = maskSecrets(outcome, known);
    return this.#isFull ? { ...masked, withholdsScreen: true } : masked;
  }
}
