import type { Detail } from '../../lib/locale.js';
import {
  describeAddress,
  type HostConnection,
  type HostConnectionHandler,
  type OpenOptions,
  openHostConnection,
} from './host-connection.js';
import { HostConnectionError, protocolError } from './host-connection-error.js';

/**
 * If a host sends nothing for this time, or too little for TLS, a second connection examines the protocol of its port.
 */
export const DOUBT_MILLISECONDS = 1_000;
const PROBE_MILLISECONDS = 5_000;
/** A result is reused for this time, so that many sessions with a slow host need only one probe. */
const KNOWN_MILLISECONDS = 60_000;
const IAC = 0xff;
/** A TLS record has a header of five bytes and at least one byte of data. */
const SHORTEST_TLS_RECORD = 6;

type ProbedHost = Pick<OpenOptions, 'address' | 'proxy' | 'family'>;

/**
 * Connects to a host as `openHostConnection` does. If TLS fails or stalls because the port speaks plain TELNET, the
 * error says so. Proof is a second connection that sent nothing and received the first byte of TELNET, which no TLS
 * server sends.
 */
export async function openCheckedConnection(
  options: OpenOptions,
  handler: HostConnectionHandler,
): Promise<HostConnection> {
  if (options.tls === undefined) return openHostConnection(options, handler);
  const where = describeAddress(options.address);
  const own = new AbortController();
  const signal = AbortSignal.any([options.signal, own.signal]);
  let isPlain = false;
  let timer: NodeJS.Timeout | undefined;
  const handshaking = (receivedBytes: () => number) => {
    timer = setTimeout(async () => {
      // OpenSSL waits endlessly for the rest of a record
      const received = receivedBytes();
      if (received === 0 || received >= SHORTEST_TLS_RECORD) return;
      isPlain = await speaksTelnet(options, signal);
      if (isPlain) own.abort();
    }, DOUBT_MILLISECONDS);
  };
  try {
    return await openHostConnection({ ...options, signal, handshaking }, handler);
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (isPlain || (isNoTls(error) && (await speaksTelnet(options, signal))))
      throw protocolError('plain', where, error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @returns a function that returns the reason if the port of a silent host speaks TLS */
export function silenceDiagnosis(host: ProbedHost): () => Promise<Detail | undefined> {
  let found: { readonly at: number; readonly speaksTls: Promise<boolean> } | undefined;
  return async () => {
    const now = performance.now();
    if (found === undefined || now - found.at > KNOWN_MILLISECONDS) found = { at: now, speaksTls: speaksTls(host) };
    return (await found.speaksTls) ? protocolError('tls', describeAddress(host.address)).detail : undefined;
  };
}

/** True for the start of a TLS alert or handshake: a TLS server rejected the plain data it received. */
export function isTlsRecord(bytes: Uint8Array): boolean {
  const [type, major, minor = 5] = bytes;
  return (type === 0x15 || type === 0x16) && major === 3 && minor <= 4;
}

async function speaksTelnet(host: ProbedHost, signal: AbortSignal): Promise<boolean> {
  let connection: HostConnection | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PROBE_MILLISECONDS);
      const handler: HostConnectionHandler = {
        take: (chunk) => {
          resolve(chunk[0] === IAC);
          return true;
        },
        goOn: () => true,
        ended: () => resolve(false),
        failed: () => resolve(false),
      };
      openHostConnection({ ...probeOf(host), signal }, handler).then(
        (opened) => {
          connection = opened;
          opened.start();
        },
        () => resolve(false),
      );
    });
  } finally {
    clearTimeout(timer);
    connection?.destroy();
  }
}

/** True also if the host rejects the handshake with an alert. No data is sent. */
async function speaksTls(host: ProbedHost): Promise<boolean> {
  const ignored: HostConnectionHandler = { take: () => true, goOn: () => true, ended: () => {}, failed: () => {} };
  const { signal } = new AbortController();
  try {
    const connection = await openHostConnection({ ...probeOf(host), tls: { verify: false }, signal }, ignored);
    connection.destroy();
    return true;
  } catch (error) {
    // ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE and others
    const { code } = Object(error instanceof HostConnectionError ? error.cause : undefined) as {
      readonly code?: unknown;
    };
    return typeof code === 'string' && code.includes('_ALERT_');
  }
}

function probeOf({ address, proxy, family }: ProbedHost): Omit<OpenOptions, 'signal'> {
  return { address, proxy, family, connectMilliseconds: PROBE_MILLISECONDS };
}

function isNoTls(error: unknown): boolean {
  const { code } = Object(Object(error).cause) as { readonly code?: unknown };
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG';
}

/** Finds out why a host has not sent anything. The session continues, because hosts may be slow. */
export class SilentHost {
  readonly #diagnose: (() => Promise<Detail | undefined>) | undefined;
  readonly #tell: (reason: Detail | undefined) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #reason: Detail | undefined;

  constructor(diagnose: (() => Promise<Detail | undefined>) | undefined, tell: (reason: Detail | undefined) => void) {
    this.#diagnose = diagnose;
    this.#tell = tell;
  }

  get reason(): Detail | undefined {
    return this.#reason;
  }

  begin(): void {
    const diagnose = this.#diagnose;
    if (diagnose === undefined || this.#isOver) return;
    this.#timer = setTimeout(async () => {
      const reason = await diagnose();
      if (this.#isOver || reason === undefined) return;
      this.#reason = reason;
      this.#tell(reason);
    }, DOUBT_MILLISECONDS);
  }

  spoke(): void {
    if (this.#isOver) return;
    this.end();
    const { reason } = this;
    this.#reason = undefined;
    if (reason !== undefined) this.#tell(undefined);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
