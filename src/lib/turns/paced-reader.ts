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
  readonly #over: (error: Error | undefined) => void;
  readonly #turns: FairTurns;
  /** What has come and has had no turn yet. */
  #arrived: Uint8Array | undefined;
  #isWorking = false;
  #isDraining = false;
  #isStopped = false;
  #isEnding = false;
  #error: Error | undefined;

  /** @param over told once, when the peer has ended or is gone and all that it had sent is carried out */
  constructor(stream: Duplex, input: PacedInput, over: (error: Error | undefined) => void, turns = FairTurns.ofHosts) {
    this.#stream = stream;
    this.#input = input;
    this.#over = over;
    this.#turns = turns;
    stream.on('end', this.#ended);
    stream.on('error', this.finish);
    stream.on('close', this.#ended);
  }

  /** The peer has ended or is gone: what it had sent may still be carried out. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  start(): void {
    this.#stream.on('data', this.#data);
  }

  /** Reads nothing more, and forgets what was read and not carried out. */
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
    // an error that comes late has nobody to go to
    this.#stream.on('error', () => undefined);
  }

  /** As where the peer ends. Node tells of an end while what came before it has no turn yet: that is carried out first. */
  readonly finish = (error?: Error): void => {
    if (this.#isEnding || this.#isStopped) return;
    this.#isEnding = true;
    this.#error = error;
    if (!this.#isWorking) this.#over(error);
  };

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
