import { monitorEventLoopDelay } from 'node:perf_hooks';
import type WebSocket from 'ws';
import { Latencies } from '../scenario/latencies.js';
import { openSocket, SiteClient } from './site-client.js';
import { nowMicroseconds, readStamp } from './stamps.js';

export interface TransactionFigures {
  readonly count: number;
  readonly perSecond: number;
  /** From the key to the new screen, including the host. */
  readonly roundTrip: { readonly p50: number; readonly p99: number; readonly most: number };
  /** The round trip without the host's time from receiving the key to the start of its answer. */
  readonly added: { readonly p50: number; readonly p99: number; readonly most: number };
  /** Keys not sent because their session was still waiting. */
  readonly skipped: number;
  readonly bytes: number;
  readonly longestStop: number;
}

interface Page {
  socket: WebSocket;
  number: number;
  /** Time of the pending key in microseconds; 0 for none. */
  sent: number;
}

const AT_ONCE = 32;

export class ScreenLoad {
  readonly #pages: Page[] = [];
  #roundTrips = new Latencies();
  #added = new Latencies();
  #bytes = 0;

  async open(url: string, sessions: number): Promise<number> {
    const client = new SiteClient(url, AT_ONCE);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, lane) => {
        const first = this.#pages.length + lane;
        for (let at = first; at < sessions; at += AT_ONCE) {
          const session = await client.begin('/TERMINAL.HTML+TSO');
          const page: Page = { socket: undefined as unknown as WebSocket, number: 0, sent: 0 };
          page.socket = await openSocket(url, session, (text) => this.#take(page, text));
          this.#pages.push(page);
        }
      }),
    );
    await client.close();
    return this.#pages.length;
  }

  /** Presses Enter in each session in turn, at random moments with an average rate, whatever the answers take. */
  async run(perSecond: number, seconds: number): Promise<TransactionFigures> {
    this.#roundTrips = new Latencies();
    this.#added = new Latencies();
    this.#bytes = 0;
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    let skipped = 0;
    let next = 0;
    const begin = performance.now();
    const end = begin + seconds * 1_000;
    for (let due = begin; due < end; ) {
      for (
        const now = performance.now();
        due <= now && due < end;
        due -= (Math.log(1 - Math.random()) / perSecond) * 1_000
      ) {
        const page = this.#pages[next++ % this.#pages.length];
        if (page === undefined) continue;
        if (page.sent === 0) this.#press(page);
        else skipped++;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const took = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const spread = (times: Latencies) => ({
      p50: times.percentile(0.5),
      p99: times.percentile(0.99),
      most: times.percentile(1),
    });
    const { count } = this.#roundTrips;
    return {
      count,
      perSecond: count / (took / 1_000),
      roundTrip: spread(this.#roundTrips),
      added: spread(this.#added),
      skipped: skipped + this.#pages.filter(({ sent }) => sent !== 0).length,
      bytes: this.#bytes / count,
      longestStop: delays.max / 1e6,
    };
  }

  async close(): Promise<number> {
    for (const page of this.#pages) page.socket.send(`{"k":"k","i":${++page.number},"a":"DISCONNECT"}`);
    const closed = this.#pages.map(
      ({ socket }) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    await Promise.all(closed);
    this.#pages.length = 0;
    return 0;
  }

  #press(page: Page): void {
    const message = `{"k":"k","i":${++page.number},"a":"ENTER","y":1,"u":94,"f":{"V000005E":"FIND RATE0001"}}`;
    page.sent = nowMicroseconds();
    page.socket.send(message);
  }

  #take(page: Page, text: string): void {
    if (page.sent === 0) return;
    this.#bytes += text.length;
    const stamp = readStamp(text);
    if (stamp === undefined) return;
    const now = nowMicroseconds();
    this.#roundTrips.add((now - page.sent) / 1_000);
    this.#added.add((now - page.sent - (stamp.answered - stamp.received)) / 1_000);
    page.sent = 0;
  }
}
