import type { Duplex } from 'node:stream';
import type { FairTurns, Peer } from '../../lib/turns/fair-turns.js';

interface TurnedProtocol {
  /** Peer that is charged for the bytes. */
  readonly peer: () => Peer;
  /** True if the bytes start new work, and therefore wait while the peer has too much work in progress. */
  readonly begins: boolean;
  /** Length of the next portion, at least 1. A portion should fit into the time of a turn. */
  readonly portion: (bytes: Buffer) => number;
  /** True if reading must pause until `goOn`. */
  readonly isFull: () => boolean;
  readonly fed?: (portion: Buffer) => void;
}

type Feed = (bytes: Buffer) => void;

/**
 * Passes the input of a connection to its protocol in portions, in the turns of its peer. Waiting bytes stay in the
 * stream. A paused stream buffers `highWaterMark` bytes (16 KiB, 64 KiB from Node 22 on) plus a read of 64 KiB: at most
 * 128 KiB per connection.
 */
export class TurnedInput {
  readonly #connection: Duplex;
  readonly #turns: FairTurns;
  readonly #protocol: TurnedProtocol;
  #feed: Feed | undefined;
  /** Bytes read from the stream but not passed on. Undefined between events. */
  #packet: Buffer | undefined;
  #waitsAs: Peer | undefined;
  #isTaking = false;
  /** Paused by this class; Node also pauses connections itself. */
  #holds = false;

  /** Replaces the current `data` listeners of the connection. */
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
    // runs before the protocol's listener, which might read the remaining bytes at once
    connection.prependListener('close', this.#closed);
  }

  get isWaiting(): boolean {
    return this.#waitsAs !== undefined;
  }

  readonly goOn = (): void => {
    if (!this.#holds || this.#protocol.isFull()) return;
    this.#holds = false;
    this.#connection.resume();
  };

  /** Leaves the connection to another reader. @returns the bytes that were read but not passed on */
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
    this.#packet = undefined;
    this.#connection.pause();
    this.#connection.unshift(packet);
  };

  /** Passes on one portion per turn, so that all its work is charged; several if no other peer waits. */
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

  #canGoOn(): boolean {
    if (this.#protocol.isFull()) this.#hold();
    return !this.#connection.isPaused();
  }

  /** Takes the buffered bytes. The stream is resumed first, so that a pause by the protocol is visible. */
  #takePacket(): void {
    this.#connection.resume();
    this.#isTaking = true;
    this.#connection.read();
    this.#isTaking = false;
  }

  /** Puts the rest back into the stream. @returns false if the connection must wait for another turn */
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
    // discards the rest: the client is gone
    this.#connection.read();
  };
}
