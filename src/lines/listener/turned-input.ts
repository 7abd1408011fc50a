import type { Duplex } from 'node:stream';
import type { FairTurns, Peer } from '../../lib/turns/fair-turns.js';

/** The kind of protocol that reads a connection. */
interface TurnedProtocol {
  /** The participant that the bytes count for. */
  readonly peer: () => Peer;
  /** Whether the bytes begin something new, so that they wait while the peer has too much under way. */
  readonly begins: boolean;
  /** The length of the next portion, at least 1. A portion should cause no more work than a turn has time for. */
  readonly portion: (bytes: Buffer) => number;
  /** Whether nothing may be read now. `goOn` ends that. */
  readonly isFull: () => boolean;
  /** Told about each portion after the protocol has read it. */
  readonly fed?: (portion: Buffer) => void;
}

type Feed = (bytes: Buffer) => void;

/**
 * Gives the protocol of a connection what a client sends, portion by portion, in the turns of its peer. Bytes that wait for
 * their turn stay in the stream. A paused stream reads until it has `highWaterMark` bytes (16 KiB, 64 KiB from Node 22 on), and
 * 64 KiB at a time: at most 128 KiB of a connection.
 */
export class TurnedInput {
  readonly #connection: Duplex;
  readonly #turns: FairTurns;
  readonly #protocol: TurnedProtocol;
  #feed: Feed | undefined;
  /** Read and not fed. Between two events it is empty. */
  #packet: Buffer | undefined;
  /** The peer in whose turn the connection waits. */
  #waitsAs: Peer | undefined;
  #isTaking = false;
  /** Paused by us because nothing may be read; Node pauses connections for reasons of its own. */
  #holds = false;

  /** Takes the place of the listeners for `data` that the connection has now. */
  constructor(connection: Duplex, turns: FairTurns, protocol: TurnedProtocol) {
    this.#connection = connection;
    this.#turns = turns;
    this.#protocol = protocol;
    const listeners = connection.listeners('data') as Feed[];
    connection.removeAllListeners('data');
    this.#feed = (bytes) => {
      for (const listener of listeners) listener.call(connection, bytes);
    };
    connection.on('data', this.#onData);
    // before the protocol is told: it might read what is left in one piece
    connection.prependListener('close', this.#closed);
  }

  /** Whether bytes of the client wait for their turn. */
  get isWaiting(): boolean {
    return this.#waitsAs !== undefined;
  }

  /** Reads on, if that is possible again. */
  readonly goOn = (): void => {
    if (!this.#holds || this.#protocol.isFull()) return;
    this.#holds = false;
    this.#connection.resume();
  };

  /** Leaves the connection to somebody else. @returns the bytes that were read and not fed */
  release(): Buffer {
    const unread = this.#packet ?? Buffer.alloc(0);
    this.#feed = undefined;
    this.#packet = undefined;
    this.#leave();
    this.#connection.off('data', this.#onData);
    this.#connection.off('close', this.#closed);
    return unread;
  }

  readonly #onData = (packet: Buffer): void => {
    if (this.#isTaking) {
      this.#packet = packet;
      return;
    }
    if (this.#protocol.isFull()) this.#hold();
    if (this.#waitsAs !== undefined) this.#connection.pause();
    if (this.#connection.isPaused()) {
      this.#connection.unshift(packet);
      return;
    }
    this.#packet = packet;
    const peer = this.#protocol.peer();
    this.#waitsAs = peer;
    const isDone = this.#protocol.begins ? this.#turns.start(peer, this.#work) : this.#turns.run(peer, this.#work);
    if (isDone || this.#packet === undefined) return;
    // it waits for its turn
    this.#packet = undefined;
    this.#connection.pause();
    this.#connection.unshift(packet);
  };

  /** Feeds one portion in a turn, so that all that it causes is charged; several if nobody else waits. */
  readonly #work = (mayGoOn: () => boolean): boolean => {
    const isInTurn = this.#packet === undefined;
    if (isInTurn && this.#protocol.isFull()) {
      this.#holds = true;
      this.#waitsAs = undefined;
      return true;
    }
    if (isInTurn) this.#takePacket();
    do {
      if (this.#packet !== undefined) this.#feedPortion(this.#packet);
      if (this.#feed === undefined) return true;
    } while (!isInTurn && this.#packet !== undefined && this.#canGoOn() && mayGoOn());
    return this.#isOver(isInTurn);
  };

  #feedPortion(packet: Buffer): void {
    const end = this.#protocol.portion(packet);
    const isAll = end >= packet.length;
    const portion = isAll ? packet : packet.subarray(0, end);
    this.#packet = isAll ? undefined : packet.subarray(end);
    this.#feed?.(portion);
    if (this.#feed !== undefined) this.#protocol.fed?.(portion);
  }

  /** Pauses if nothing may be read now. */
  #canGoOn(): boolean {
    if (this.#protocol.isFull()) this.#hold();
    return !this.#connection.isPaused();
  }

  /** Takes what the stream has read. It flows meanwhile, so that a pause of the protocol shows. */
  #takePacket(): void {
    this.#connection.resume();
    this.#isTaking = true;
    this.#connection.read();
    this.#isTaking = false;
  }

  /** Puts back into the stream what is left. @returns whether it waits for no turn */
  #isOver(isInTurn: boolean): boolean {
    const canGoOn = this.#canGoOn();
    const rest = this.#packet;
    this.#packet = undefined;
    const isLeft = rest !== undefined || (isInTurn && this.#connection.readableLength > 0);
    if (canGoOn && isLeft) this.#connection.pause();
    if (rest !== undefined) this.#connection.unshift(rest);
    if (canGoOn && isLeft) return false;
    this.#waitsAs = undefined;
    return true;
  }

  #hold(): void {
    if (this.#connection.isPaused()) return;
    this.#holds = true;
    this.#connection.pause();
  }

  #leave(): void {
    if (this.#waitsAs !== undefined) this.#turns.leave(this.#waitsAs, this.#work);
    this.#waitsAs = undefined;
  }

  readonly #closed = (): void => {
    this.release();
    // nobody waits for the answers
    this.#connection.read();
  };
}
