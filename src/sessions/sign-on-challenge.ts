import type { SessionCrypto } from '../crypto/session-crypto.js';
import { ServiceError } from '../lib/errors.js';
import { networkOf } from '../lib/network/addresses.js';
import { newSessionCode } from './session-code.js';

/** Tries that one form is good for; the next one is a new form with a new key pair. */
const MOST_TRIES = 5;

interface ChallengeAnswer {
  readonly wrappedKey: string | undefined;
  /** Of the request; where values are bound to numbers, each is good once. */
  readonly number: number;
}

/** What a form sends that travels encrypted, each under the name of its field. */
interface SecretsAnswer extends ChallengeAnswer {
  readonly secrets: readonly { readonly fieldId: string; readonly value: string }[];
}

/** One sign-on form in one browser, and the key pair under which what it asks for travels (specification 5, item 4). */
export class SignOnChallenge {
  readonly code: string;
  readonly crypto: SessionCrypto | undefined;
  #tries = 0;
  #lastNumber = 0;

  /** @param node of this server; not given: there is only one */
  constructor(crypto: SessionCrypto | undefined, node?: string) {
    this.code = newSessionCode(node);
    this.crypto = crypto;
  }

  get isSpent(): boolean {
    return this.#tries >= MOST_TRIES;
  }

  /** @returns the values in clear, in their order; undefined where anything about one of them is wrong */
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
/** Forms of one address that wait for their key pairs. */
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

/** The sign-on forms that browsers have; of one address the oldest give way, in all the oldest of the network that has most. */
export class SignOnChallenges {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #turns = new Map<string, Turn>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Has forms made for an address, one after the other: whoever asks for many waits for their key pairs, and sessions do not.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, and what the making throws
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

  /** For the address that it was given to; undefined where it is over. */
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
