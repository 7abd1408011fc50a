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

export interface LineBytes {
  readonly received: (chunk: Uint8Array) => Uint8Array;
  readonly sent: (bytes: Uint8Array) => Uint8Array;
}

const telnetLine: LineBytes = { received: (chunk) => chunk, sent: (bytes) => bytes };

/** For hosts without TELNET: received bytes 255 are doubled for the TELNET decoder, and no commands are sent. */
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

/** Limit of unsent bytes: a host that sends queries and reads nothing would fill the memory. */
const MOST_WAITING_BYTES = 1 << 20;

/** The connection reads on with this many unsent bytes, so that a buffer of a file transfer does not pause it. */
const WAITING_WITHOUT_PAUSE_BYTES = 1 << 16;

/** The certificate is verified unless `verify` is false. */
export interface HostTlsOptions {
  readonly verify?: boolean;
  /** PEM: certificate authorities to trust instead of those of the system. */
  readonly ca?: string | Buffer;
  /** PEM: client certificate. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Name in the certificate, if it differs from the address. */
  readonly serverName?: string;
  readonly acceptsAnyName?: boolean;
  readonly passphrase?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  /** OpenSSL cipher string; undefined: those of all TLS clients of the server. */
  readonly ciphers?: string;
}

export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

/** No method is called after `ended` or `failed`. */
export interface HostConnectionHandler extends PacedInput {
  ended(): void;
  failed(fault: HostConnectionError): void;
}

export interface HostTraffic {
  readonly received: number;
  readonly sent: number;
}

export interface OpenOptions {
  readonly address: HostAddress;
  readonly tls?: HostTlsOptions;
  /** Time limit for name resolution, connection and handshake together. */
  readonly connectMilliseconds: number;
  readonly signal: AbortSignal;
  readonly proxy?: HostProxy | undefined;
  readonly family?: 4 | 6 | undefined;
  /** Default: TELNET. */
  readonly line?: LineBytes | undefined;
  /** Called after each step of the connection. @param next protocol of the next step */
  readonly reached?: ((next: ConnectionStep) => void) | undefined;
  readonly handshaking?: ((receivedBytes: () => number) => void) | undefined;
}

export type ConnectionStep = 'proxy' | 'tls' | 'host';

/** Rejects with a `HostConnectionError` after closing the socket. */
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

/** A byte stream to a host: a socket, with or without TLS, or a pipe to the simulated host in this process. */
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

  /** Protocol and cipher; undefined without TLS. */
  get secured(): string | undefined {
    const stream = this.#stream as Partial<TLSSocket>;
    if (stream.encrypted !== true) return undefined;
    return `${stream.getProtocol?.() ?? 'TLS'} ${stream.getCipher?.().name ?? ''}`.trim();
  }

  get ownAddress(): string | undefined {
    return (this.#stream as Partial<Socket>).localAddress;
  }

  /** Certificate of the host with its issuers; undefined without TLS. */
  get certificate(): DetailedPeerCertificate | undefined {
    return (this.#stream as Partial<TLSSocket>).getPeerCertificate?.(true);
  }

  /** Bytes received and sent, without TLS overhead. */
  get traffic(): HostTraffic {
    return { received: this.#received, sent: this.#sent };
  }

  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  /** Stops reading while too much data is unsent. */
  write(bytes: Uint8Array): void {
    if (this.#over || this.#reader.isEnding) return;
    if (this.#stream.writableLength + bytes.length > MOST_WAITING_BYTES) {
      this.#fail(connectionError('tooSlow', describeAddress(this.#address)));
      return;
    }
    this.#sent += bytes.length;
    if (!this.#stream.write(this.#line.sent(bytes))) this.#reader.waitForDrain();
  }

  /** Starts TLS after the negotiation. Data received before the handshake is discarded. */
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

  /** Sends all pending data, then waits for the host to close. */
  end(): void {
    if (!this.#over) this.#stream.end();
  }

  /** Sends all pending data, then closes without waiting for the host. */
  leave(): void {
    if (!this.#over) this.#stream.end(() => this.#reader.finish());
  }

  /** Closes at once. No method of the handler is called after it. */
  destroy(): void {
    this.#over = true;
    this.#reader.stop();
    this.#stream.destroy();
  }

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
 * Sets up a stream within a time limit. Destroys the socket if that fails; removes its timer and listeners in any case.
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
  // the limit may expire while no wait is active, for example during name resolution: the next wait then fails
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
    // invalid keys and certificates throw errors without a connection
    throw connectionErrorOf(error, where, true);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', stopped);
  }
}
