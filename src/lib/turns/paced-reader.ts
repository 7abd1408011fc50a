import type { Duplex } from 'node:stream';
import { FairTurns } from './fair-turns.js';

/** Consumer of a stream. Both methods may stop when `mayGoOn` returns false, and then return false. */
export interface PacedInput {
  /**
   * @param chunk may be kept until the work is complete
   * @returns true if nothing is left
   */
  take(chunk: Uint8Array, mayGoOn: () => boolean): boolean;
  goOn(mayGoOn: () => boolean): boolean;
}

/**
 * Reads a stream no faster than its data is processed, in fair turns, and no faster than the peer accepts the
 * responses. Unread data stays at the peer, so memory is bounded.
 */
export class PacedReader {
  readonly #stream: Duplex;
  readonly #input: PacedInput;
  readonly #over: (error: Error | undefined) => void;
  readonly #turns: FairTurns;
  #arrived: Uint8Array | undefined;
  #isWorking = false;
  #isDraining = false;
  #isStopped = false;
  #isEnding = false;
  #error: Error | undefined;

  /** @param over called once, when the stream has ended and all received data is processed */
  constructor(stream: Duplex, input: PacedInput, over: (error: Error | undefined) => void, turns = FairTurns.ofHosts) {
    this.#stream = stream;
    this.#input = input;
    this.#over = over;
    this.#turns = turns;
    stream.on('end', this.#ended);
    stream.on('error', this.finish);
    stream.on('close', this.#ended);
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  start(): void {
    this.#stream.on('data', this.#data);
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#arrived = undefined;
    this.#turns.leave(this, this.#work);
    this.#stream.off('data', this.#data);
    this.#stream.off('drain', this.#drained);
    this.#stream.off('end', this.#ended);
    this.#stream.off('error', this.finish);
    this.#stream.off('close', this.#ended);
    // Prevents an uncaught exception from a late error.
    this.#stream.on('error', () => undefined);
  }

  /** Node.js reports the end of the stream before queued data is processed, so that data is processed first. */
  readonly finish = (error?: Error): void => {
    if (this.#isEnding || this.#isStopped) return;
    this.#isEnding = true;
    this.#error = error;
    if (!this.#isWorking) this.#over(error);
  };

  waitForDrain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#stream.pause();
    this.#stream.once('drain', this.#drained);
  }

  readonly #data = (chunk: Uint8Array): void => {
    if (this.#isWorking) {
      // A peer in the same process may answer during a write. Process its data after the current work.
      this.#stream.pause();
      this.#stream.unshift(chunk);
      return;
    }
    this.#arrived = chunk;
    this.#isWorking = true;
    if (!this.#turns.run(this, this.#work)) this.#stream.pause();
  };

  readonly #work = (mayGoOn: () => boolean): boolean => {
    const chunk = this.#arrived;
    this.#arrived = undefined;
    const isDone = chunk === undefined ? this.#input.goOn(mayGoOn) : this.#input.take(chunk, mayGoOn);
    if (this.#isStopped) return true;
    this.#isWorking = !isDone;
    if (!isDone) return false;
    if (this.#isEnding) this.#over(this.#error);
    else this.#resume();
    return true;
  };

  readonly #ended = (): void => this.finish();

  readonly #drained = (): void => {
    this.#isDraining = false;
    this.#resume();
  };

  #resume(): void {
    if (!this.#isWorking && !this.#isDraining && this.#stream.isPaused()) this.#stream.resume();
  }
}
