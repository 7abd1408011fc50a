import type { SessionCrypto } from '../crypto/session-crypto.js';
import { ServiceError } from '../lib/errors.js';
import { networkOf } from '../lib/network/addresses.js';
import { newSessionCode } from './session-code.js';

/** A further attempt needs a new form with a new key pair. */
const MOST_TRIES = 5;

interface ChallengeAnswer {
  readonly wrappedKey: string | undefined;
  /** Number of the request. If values are bound to numbers, each number is valid once. */
  readonly number: number;
}

interface SecretsAnswer extends ChallengeAnswer {
  readonly secrets: readonly { readonly fieldId: string; readonly value: string }[];
}

/** A sign-on form in one browser, with the key pair for its secrets (specification 5, item 4). */
export class SignOnChallenge {
  readonly code: string;
  readonly crypto: SessionCrypto | undefined;
  #tries = 0;
  #lastNumber = 0;

  constructor(crypto: SessionCrypto | undefined, node?: string) {
    this.code = newSessionCode(node);
    this.crypto = crypto;
  }

  get isSpent(): boolean {
    return this.#tries >= MOST_TRIES;
  }

  /** @returns the decrypted values in order; undefined if any of them is invalid */
  clearSecrets({ secrets, wrappedKey, number }: SecretsAnswer): readonly string[] | undefined {
    this.#tries++;
    const { crypto } = this;
    if (crypto === undefined) return secrets.map(({ value }) => value);
    if (wrappedKey !== undefined) crypto.takeSessionKey(wrappedKey);
    if (crypto.bindsRequests && number <= this.#lastNumber) return undefined;
    this.#lastNumber = number;
    const clear = secrets.map(({ fieldId, value }) => crypto.clearValue(value, this.code, fieldId, String(number)));
    return clear.every((value) => value !== undefined) ? clear : undefined;
  }

  release(): void {
    this.crypto?.release();
  }
}

const CHALLENGE_MILLISECONDS = 600_000;
const MOST_CHALLENGES = 5_000;
const MOST_CHALLENGES_OF_ADDRESS = 20;
/** Maximum number of forms of one address that wait for their key pairs. */
const MOST_CHALLENGES_IN_TURN = 100;

interface Turn {
  last: Promise<void>;
  count: number;
}

interface Entry {
  readonly challenge: SignOnChallenge;
  readonly address: string;
  readonly network: string;
  readonly until: number;
}

/** If a limit is reached, the oldest form is dropped: of the address, or of the network with the most forms. */
export class SignOnChallenges {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #turns = new Map<string, Turn>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Creates forms of one address one after the other, so that many requests delay only that address and not sessions
   * that wait for key pairs.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, and errors of `make`
   */
  async make(address: string, make: () => Promise<SignOnChallenge>): Promise<SignOnChallenge> {
    const turn = this.#turns.get(address) ?? { last: Promise.resolve(), count: 0 };
    if (turn.count >= MOST_CHALLENGES_IN_TURN) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    turn.count++;
    this.#turns.set(address, turn);
    const made = turn.last.then(make);
    const done = () => {
      turn.count--;
      if (turn.count === 0) this.#turns.delete(address);
    };
    turn.last = made.then(done, done);
    const challenge = await made;
    this.add(challenge, address);
    return challenge;
  }

  add(challenge: SignOnChallenge, address: string): void {
    const now = this.#now();
    const ofAddress: string[] = [];
    for (const [code, entry] of this.#entries) {
      if (entry.until <= now) this.end(code);
      else if (entry.address === address) ofAddress.push(code);
    }
    for (const code of ofAddress.slice(0, Math.max(0, ofAddress.length + 1 - MOST_CHALLENGES_OF_ADDRESS)))
      this.end(code);
    if (this.#entries.size >= MOST_CHALLENGES) this.#endOldestOfMost();
    this.#entries.set(challenge.code, {
      challenge,
      address,
      network: networkOf(address),
      until: now + CHALLENGE_MILLISECONDS,
    });
  }

  /** @returns undefined if the form has expired, is used up or belongs to another address */
  find(code: string, address: string): SignOnChallenge | undefined {
    const entry = this.#entries.get(code);
    if (entry === undefined || entry.address !== address) return undefined;
    if (entry.until > this.#now() && !entry.challenge.isSpent) return entry.challenge;
    this.end(code);
    return undefined;
  }

  end(code: string): void {
    this.#entries.get(code)?.challenge.release();
    this.#entries.delete(code);
  }

  #endOldestOfMost(): void {
    const counts = new Map<string, number>();
    for (const { network } of this.#entries.values()) counts.set(network, (counts.get(network) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const [code, { network }] of this.#entries) {
      if (counts.get(network) !== most) continue;
      this.end(code);
      return;
    }
  }
}
