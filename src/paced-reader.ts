import type { Duplex } from 'node:stream';
import { FairTurns } from './fair-turns.js';

/** Who carries out what a stream brings. Either may stop when its time is over, and says then that something is left. */
export interface PacedInput {
  /** @param chunk theirs to keep until nothing is left. @returns whether nothing is */
  take(chunk: Uint8Array, mayGoOn: () => boolean): boolean;
  /** Carries on with what is left. @returns whether nothing is */
  goOn(mayGoOn: () => boolean): boolean;
}

/**
 * Reads a stream no faster than what it brings is carried out, in turns with all the others, and no faster than the peer
 * takes the answers. What is not read waits at the peer: memory does not grow.
 */
export class PacedReader {
  readonly #stream: Duplex;
  readonly #input: PacedInput;
  readonly #turns: FairTurns;
  /** What has come and has had no turn yet. */
  #arrived: Uint8Array | undefined;
  #isWorking = false;
  #isDraining = false;
  #isStopped = false;
  #whenDone: (() => void) | undefined;

  constructor(stream: Duplex, input: PacedInput, turns = FairTurns.ofThisProcess) {
    this.#stream = stream;
    this.#input = input;
    this.#turns = turns;
  }

  start(): void {
    this.#stream.on('data', this.#data);
  }

  /** Reads nothing more, and forgets what was read and not carried out. */
  stop(): void {
    this.#isStopped = true;
    this.#arrived = undefined;
    this.#turns.leave(this.#work);
    this.#stream.off('data', this.#data);
    this.#stream.off('drain', this.#drained);
  }

  /** Calls back when all that was read is carried out; nothing more is read then. The first one is called, and no other. */
  finish(done: () => void): void {
    if (this.#whenDone !== undefined) return;
    this.#whenDone = done;
    if (!this.#isWorking) done();
  }

  /** Reads on once the peer has taken what waits for it. */
  waitForDrain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#stream.pause();
    this.#stream.once('drain', this.#drained);
  }

  readonly #data = (chunk: Uint8Array): void => {
    if (this.#isWorking) {
      // a peer in this process answers while we still write to it: its turn is after what is being carried out
      this.#stream.pause();
      this.#stream.unshift(chunk);
      return;
    }
    this.#arrived = chunk;
    this.#isWorking = true;
    if (!this.#turns.run(this.#work)) this.#stream.pause();
  };

  readonly #work = (mayGoOn: () => boolean): boolean => {
    const chunk = this.#arrived;
    this.#arrived = undefined;
    const isDone = chunk === undefined ? this.#input.goOn(mayGoOn) : this.#input.take(chunk, mayGoOn);
    if (this.#isStopped) return true;
    this.#isWorking = !isDone;
    if (!isDone) return false;
    if (this.#whenDone === undefined) this.#resume();
    else this.#whenDone();
    return true;
  };

  readonly #drained = (): void => {
    this.#isDraining = false;
    this.#resume();
  };

  #resume(): void {
    if (!this.#isWorking && !this.#isDraining && this.#stream.isPaused()) this.#stream.resume();
  }
}
