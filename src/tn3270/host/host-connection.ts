import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  connect as connectTls,
  type DetailedPeerCertificate,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import { tlsCiphers } from '../../lib/network/tls-ciphers.js';
import { FairTurns } from '../../lib/turns/fair-turns.js';
import { type PacedInput, PacedReader } from '../../lib/turns/paced-reader.js';
import { IAC } from '../telnet/telnet-codes.js';
import { connectionError, connectionErrorOf, type HostConnectionError } from './host-connection-error.js';
import { type HostProxy, passProxy } from './host-proxy.js';

/** What a connection makes of the bytes that come and go. */
export interface LineBytes {
  readonly received: (chunk: Uint8Array) => Uint8Array;
  readonly sent: (bytes: Uint8Array) => Uint8Array;
}

const telnetLine: LineBytes = { received: (chunk) => chunk, sent: (bytes) => bytes };

/** A line whose host does not speak TELNET: each 255 is data (doubled for those who read TELNET), and no command goes out. */
export const rawLine: LineBytes = {
  received: (chunk) => (chunk.includes(IAC) ? Buffer.from(Array.from(chunk, twice).flat()) : chunk),
  sent: (bytes) => {
    const data: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte !== IAC || bytes[++at] === IAC) data.push(byte);
    }
    return Uint8Array.from(data);
  },
};

function twice(byte: number): number | number[] {
  return byte === IAC ? [IAC, IAC] : byte;
}

/** What may wait to be sent: a host that reads nothing and asks much would fill the memory. */
const MOST_WAITING_BYTES = 1 << 20;

/** What may wait while the host is still read: a buffer of a file transfer is no reason not to. */
const WAITING_WITHOUT_PAUSE_BYTES = 1 << 16;

/** How TLS is spoken with a host. The certificate is verified unless `verify` is false. */
export interface HostTlsOptions {
  readonly verify?: boolean;
  /** PEM: authorities to trust instead of those that the system does. */
  readonly ca?: string | Buffer;
  /** PEM: our own certificate, where the host asks for one. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that the certificate must be for, where it is not the address. */
  readonly serverName?: string;
  /** The certificate may be for any name. */
  readonly acceptsAnyName?: boolean;
  /** Of an encrypted key. */
  readonly passphrase?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  /** OpenSSL cipher string; undefined: those of every client of ours. */
  readonly ciphers?: string;
}

export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

/** What a connection tells. After one of `ended` and `failed` nothing more is told. */
export interface HostConnectionHandler extends PacedInput {
  /** The host ended the connection in an orderly way. */
  ended(): void;
  failed(fault: HostConnectionError): void;
}

/** Bytes of a connection. */
export interface HostTraffic {
  readonly received: number;
  readonly sent: number;
}

export interface OpenOptions {
  readonly address: HostAddress;
  /** TLS from the first byte. */
  readonly tls?: HostTlsOptions;
  /** For the name, the connection and the handshake together. */
  readonly connectMilliseconds: number;
  readonly signal: AbortSignal;
  /** The way that leads to the host, where there is no straight one. */
  readonly proxy?: HostProxy | undefined;
  /** Addresses of the host that are tried; undefined: all. */
  readonly family?: 4 | 6 | undefined;
  /** TELNET where nothing is said. */
  readonly line?: LineBytes | undefined;
  /** Told when someone is there, and what is to be agreed with them before the host's own words. */
  readonly reached?: ((next: ConnectionStep) => void) | undefined;
  /** Told when the handshake of TLS begins, with a function that says how many bytes have come since. */
  readonly handshaking?: ((receivedBytes: () => number) => void) | undefined;
}

/** What a connection waits for that somebody has taken. */
export type ConnectionStep = 'proxy' | 'tls' | 'host';

/** Connects to a host. Rejects with a `HostConnectionError`, and leaves nothing open then. */
export async function openHostConnection(
  options: OpenOptions,
  handler: HostConnectionHandler,
): Promise<HostConnection> {
  const { address, tls, connectMilliseconds, signal, proxy, family, line, reached, handshaking } = options;
  const where = describeAddress(address);
  const { host, port } = proxy ?? address;
  const socketOptions = { noDelay: true, writableHighWaterMark: WAITING_WITHOUT_PAUSE_BYTES };
  const families = family === undefined ? { autoSelectFamily: true } : { family };
  const afterProxy = tls === undefined ? 'host' : 'tls';
  const socket = connectTcp({ host, port, ...socketOptions, ...families });
  const stream = await within(connectMilliseconds, signal, socket, where, async (wait) => {
    await wait(socket, 'connect');
    reached?.(proxy !== undefined ? 'proxy' : afterProxy);
    if (proxy !== undefined) await passProxy(socket, proxy, address, () => wait(socket, 'readable'));
    if (proxy !== undefined) reached?.(afterProxy);
    if (tls === undefined) return socket;
    const before = socket.bytesRead;
    handshaking?.(() => socket.bytesRead - before);
    const secure = connectTls({ ...tlsOptions(tls, address), socket });
    await wait(secure, 'secureConnect');
    return secure;
  });
  return new HostConnection(stream, handler, address, { line });
}

export function describeAddress({ host, port }: HostAddress): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A stream of bytes to a host: a socket, TLS or not, or a pipe to the simulated host in this process. */
export class HostConnection {
  #stream: Duplex;
  #reader: PacedReader;
  readonly #handler: HostConnectionHandler;
  readonly #address: HostAddress;
  readonly #turns: FairTurns;
  readonly #line: LineBytes;
  readonly #input: PacedInput;
  #over = false;
  #received = 0;
  #sent = 0;

  constructor(
    stream: Duplex,
    handler: HostConnectionHandler,
    address: HostAddress,
    { turns = FairTurns.ofHosts, line = telnetLine }: { turns?: FairTurns; line?: LineBytes | undefined } = {},
  ) {
    this.#stream = stream;
    this.#handler = handler;
    this.#address = address;
    this.#turns = turns;
    this.#line = line;
    this.#input = {
      take: (chunk, mayGoOn) => {
        this.#received += chunk.length;
        return handler.take(line.received(chunk), mayGoOn);
      },
      goOn: (mayGoOn) => handler.goOn(mayGoOn),
    };
    this.#reader = this.#readerOf(stream);
  }

  /** Protocol and cipher, where the connection is encrypted. */
  get secured(): string | undefined {
    const stream = this.#stream as Partial<TLSSocket>;
    if (stream.encrypted !== true) return undefined;
    return `${stream.getProtocol?.() ?? 'TLS'} ${stream.getCipher?.().name ?? ''}`.trim();
  }

  /** Of this end of the connection. */
  get ownAddress(): string | undefined {
    return (this.#stream as Partial<Socket>).localAddress;
  }

  /** The host's certificate and what it is signed by; undefined without TLS. */
  get certificate(): DetailedPeerCertificate | undefined {
    return (this.#stream as Partial<TLSSocket>).getPeerCertificate?.(true);
  }

  /** Bytes that came from the host and went to it, without those of TLS. */
  get traffic(): HostTraffic {
    return { received: this.#received, sent: this.#sent };
  }

  /** What is written until `uncork` goes out at once. */
  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  /** While the host does not take what is sent, nothing of it is read either. */
  write(bytes: Uint8Array): void {
    if (this.#over || this.#reader.isEnding) return;
    if (this.#stream.writableLength + bytes.length > MOST_WAITING_BYTES) {
      this.#fail(connectionError('tooSlow', describeAddress(this.#address)));
      return;
    }
    this.#sent += bytes.length;
    if (!this.#stream.write(this.#line.sent(bytes))) this.#reader.waitForDrain();
  }

  /** TLS from here on, as the host agreed to. What it sent before the handshake was not part of it and is dropped. */
  async startTls(tls: HostTlsOptions, signal: AbortSignal, milliseconds: number): Promise<void> {
    const plain = this.#stream;
    this.#reader.stop();
    const where = describeAddress(this.#address);
    const secure = connectTls({ ...tlsOptions(tls, this.#address), socket: plain });
    await within(milliseconds, signal, plain, where, (wait) => wait(secure, 'secureConnect'));
    this.#stream = secure;
    this.#reader = this.#readerOf(secure);
    this.start();
  }

  /** Orderly: what was written is sent first. */
  end(): void {
    if (!this.#over) this.#stream.end();
  }

  /** What was written is sent first; the host need not close as well. */
  leave(): void {
    if (!this.#over) this.#stream.end(() => this.#reader.finish());
  }

  /** At once; nothing is told any more. */
  destroy(): void {
    this.#over = true;
    this.#reader.stop();
    this.#stream.destroy();
  }

  /** From now on the handler is told what comes; before, nothing is read. */
  start(): void {
    this.#reader.start();
  }

  #readerOf(stream: Duplex): PacedReader {
    return new PacedReader(stream, this.#input, this.#finished, this.#turns);
  }

  readonly #finished = (error: Error | undefined): void => {
    if (this.#over) return;
    if (error !== undefined) {
      this.#fail(connectionErrorOf(error, describeAddress(this.#address), false));
      return;
    }
    this.destroy();
    this.#handler.ended();
  };

  #fail(fault: HostConnectionError): void {
    if (this.#over) return;
    this.destroy();
    this.#handler.failed(fault);
  }
}

const ignore = () => undefined;

function tlsOptions(tls: HostTlsOptions, { host }: HostAddress): ConnectionOptions {
  const name = tls.serverName ?? host;
  return {
    rejectUnauthorized: tls.verify !== false,
    ciphers: tlsCiphers(tls.ciphers),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.acceptsAnyName === true ? { checkServerIdentity: () => undefined } : {}),
    ...(tls.passphrase === undefined ? {} : { passphrase: tls.passphrase }),
    ...(tls.minVersion === undefined ? {} : { minVersion: tls.minVersion }),
    ...(tls.maxVersion === undefined ? {} : { maxVersion: tls.maxVersion }),
    host: name,
    // an address must not be sent as a server name (RFC 6066, section 3)
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };
}

type WaitForEvent = (stream: Duplex, event: string) => Promise<void>;

/**
 * Sets a stream up within a time limit, and leaves neither timer nor listener behind. Where that fails, in whatever way, the
 * socket is destroyed.
 */
async function within<Result>(
  milliseconds: number,
  stop: AbortSignal,
  socket: Duplex,
  where: string,
  setUp: (wait: WaitForEvent) => Promise<Result>,
): Promise<Result> {
  let over: HostConnectionError | undefined;
  let refuseNow: (fault: HostConnectionError) => void = () => undefined;
  // also where nobody waits for the stream at the moment, as while a name is looked up: whoever waits next is told
  const giveUp = (fault: HostConnectionError) => {
    over ??= fault;
    refuseNow(over);
  };
  const stopped = () => giveUp(connectionError('stopped', where));
  const timer = setTimeout(() => giveUp(connectionError('timeLimit', where)), milliseconds);
  stop.addEventListener('abort', stopped);
  const wait: WaitForEvent = (stream, event) =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        stream.off(event, done);
        stream.off('error', failed);
        stream.off('close', closed);
        act();
      };
      const done = () => settle(resolve);
      const refuse = (fault: HostConnectionError) =>
        settle(() => {
          stream.on('error', ignore);
          reject(fault);
        });
      const failed = (error: Error) => refuse(connectionErrorOf(error, where, event === 'secureConnect'));
      const closed = () => refuse(connectionError('lost', where));
      refuseNow = refuse;
      stream.on(event, done);
      stream.on('error', failed);
      stream.on('close', closed);
      if (stop.aborted) stopped();
      else if (over !== undefined) refuse(over);
    });
  try {
    return await setUp(wait);
  } catch (error) {
    socket.destroy();
    // of what is no error of the connection: a key or a certificate that cannot be used
    throw connectionErrorOf(error, where, true);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', stopped);
  }
}
