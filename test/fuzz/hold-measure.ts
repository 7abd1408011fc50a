import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { HostConnection } from '../../src/tn3270/host/host-connection.js';
import { HostSession } from '../../src/tn3270/host/host-session.js';
import { hostSessionOptions } from '../support/host-session-options.js';
import { randomFrom } from '../support/random.js';
import { AGREEMENT, BIND } from '../support/scripted-host.js';
import { processorMilliseconds } from './processor-time.js';

/** How long the event loop may be held by whatever a peer sends. */
export const LONGEST_HOLD_MILLISECONDS = 50;

const FLOOD_BYTES = 1 << 20;
const CHUNK_BYTES = 1 << 16;
/** What a peer has taken of the last one shows when it asks for the next: NOPs, which cost nothing. */
const TAIL_BYTES = 4 * CHUNK_BYTES;
const NOP = Buffer.from('fff1', 'hex');
const SESSIONS_AT_ONCE = 8;
/** A flood that is not carried out by then has shown what it does. */
const MOST_MILLISECONDS_A_FLOOD = 1_000;
/** A pause of the machine hits one of them; what a flood costs, all of them. */
const TRIES = 3;

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const flood = (unit: Buffer) => Buffer.alloc(FLOOD_BYTES, unit);
/** With a header of TN3270E, and the piece so many times behind what it begins with. */
const record = (begin: string, piece = '', times = 0, header = '0000000000') =>
  Buffer.concat([bytes(header), bytes(begin), bytes(piece.repeat(times)), bytes('ffef')]);
const BOUND = bytes(`${AGREEMENT} ${BIND}`);

const lineFloods: Readonly<Record<string, string>> = {
  'NVT line feeds': '0a',
  'NVT lines of one character': '780a',
  'NVT inserted lines': '1b5b3939394c',
  'NVT shifted characters': '1b5b3939394078',
  'NVT form feeds': '0c',
  'NVT bells': '07',
  'NVT bytes of 255': 'ffff',
  'NVT bytes between commands': '78fff1',
  'NVT questions for the cursor': '1b5b366e',
  negotiations: 'fffb19 fffc19',
  'timing marks': 'fffd06',
  subnegotiations: 'fffd18 fffa1801fff0',
};

const recordFloods: Readonly<Record<string, Buffer>> = {
  'full writes': record('7ec3'),
  'writes with an alarm': record('f1c6'),
  'reads of the buffer': record('f2'),
  'records that repeat': record('7ec3', '3c0000c1', 50_000),
  'records that erase': record('7ec3', '120000', 50_000),
  'records that tab': record('7ec3 1d60', '05', 200_000),
  'records of fields of one character': record('7ec3', '1d60c1', 340_000),
  'records of characters with attributes': record('7ec3', 'c12842f2', 260_000),
  'structured fields that write': record('f3', '000640007ec3', 255),
  'structured fields that read': record('f3', '00050100f2', 255),
  'text of services': record('', 'c115', 100_000, '0700000000'),
  'text for a line terminal in a record': record('', '780a', 200_000, '0500000000'),
};

const terminalFloods: Readonly<Record<string, string>> = {
  'terminal: IAC BREAK': 'fff3',
  'terminal: IAC AO': 'fff5',
  'terminal: options': 'fffb63',
  'terminal: device requests': 'fffa280207 49424d2d333237382d32 fff0',
  'terminal: keys': '0000000000 7d4040 ffef',
};

export interface Hold {
  readonly name: string;
  readonly milliseconds: number;
}

/** Each flood, to several sessions at once, and the longest time of the processor in which the event loop came to nothing else. */
export async function measureHolds(seed: number): Promise<Hold[]> {
  const holds: Hold[] = [];
  for (const [name, unit] of Object.entries(lineFloods)) holds.push(await ofHost(name, flood(bytes(unit))));
  for (const [name, unit] of Object.entries(recordFloods)) {
    holds.push(await ofHost(name, Buffer.concat([BOUND, flood(unit)])));
  }
  holds.push(await ofHost('random bytes', randomBytes(seed)));
  holds.push(await ofHost('random bytes behind a BIND', Buffer.concat([BOUND, randomBytes(seed + 1)])));
  for (const [name, unit] of Object.entries(terminalFloods)) holds.push(await ofTerminal(name, flood(bytes(unit))));
  return holds;
}

function randomBytes(seed: number): Buffer {
  const random = randomFrom(seed);
  return Buffer.from(Array.from({ length: FLOOD_BYTES }, () => Math.floor(random() * 256)));
}

function ofHost(name: string, sent: Buffer): Promise<Hold> {
  return leastOf(name, async () => {
    const hosts: Duplex[] = [];
    const sessions: HostSession[] = [];
    for (let count = 0; count < SESSIONS_AT_ONCE; count++) {
      const [terminal, host] = duplexPair();
      // what the terminal answers is read: it is not to be stopped by that
      host.resume();
      host.on('error', () => undefined);
      hosts.push(host);
      const session = sessionOver(terminal, count % 2 === 0 ? 'cp037' : 'cp939');
      sessions.push(session);
      session.connect();
    }
    await nextTurn();
    const longest = await holdWhile(hosts, sent);
    for (const session of sessions) session.stop();
    for (const host of hosts) host.destroy();
    return longest;
  });
}

function ofTerminal(name: string, sent: Buffer): Promise<Hold> {
  return leastOf(name, async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
    const terminals = Array.from({ length: SESSIONS_AT_ONCE }, () => host.connect());
    for (const terminal of terminals) {
      terminal.resume();
      terminal.on('error', () => undefined);
      terminal.write(bytes('fffb28 fffa280207 49424d2d333237382d32 fff0 fffa280307 04 fff0'));
    }
    await nextTurn();
    const longest = await holdWhile(terminals, sent);
    await host.close();
    return longest;
  });
}

async function leastOf(name: string, measure: () => Promise<number>): Promise<Hold> {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let done = 0; done < TRIES && milliseconds > LONGEST_HOLD_MILLISECONDS / 4; done++) {
    milliseconds = Math.min(milliseconds, await measure());
  }
  return { name, milliseconds };
}

function sessionOver(terminal: Duplex, codePage: string): HostSession {
  const session: HostSession = new HostSession(
    hostSessionOptions({
      oversize: '255x255',
      codePage,
      connect: async (handler) => new HostConnection(terminal, handler, { host: 'flood', port: 0 }),
    }),
    // a page that looks on has a picture taken after every slice
    { changed: () => void session.screen.image, fault: () => undefined, ended: () => undefined },
  );
  return session;
}

/** Sends to all of them, until each has read it or has hung up, or it has taken long enough. */
async function holdWhile(peers: readonly Duplex[], sent: Buffer): Promise<number> {
  const stream = Buffer.concat([sent, Buffer.alloc(TAIL_BYTES, NOP)]);
  let left = peers.length;
  for (const peer of peers) {
    sendAll(peer, stream).finally(() => left--);
  }
  let longest = 0;
  const end = performance.now() + MOST_MILLISECONDS_A_FLOOD;
  while (left > 0 && performance.now() < end) {
    const start = processorMilliseconds();
    await nextTurn();
    longest = Math.max(longest, processorMilliseconds() - start);
  }
  return longest;
}

async function sendAll(peer: Duplex, stream: Buffer): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    peer.once('close', resolve);
    peer.once('end', resolve);
  });
  for (let at = 0; at < stream.length && !peer.destroyed && !peer.readableEnded; at += CHUNK_BYTES) {
    const taken = new Promise<void>((resolve) => peer.write(stream.subarray(at, at + CHUNK_BYTES), () => resolve()));
    await Promise.race([taken, gone]);
  }
}
