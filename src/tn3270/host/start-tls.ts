import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { Detail, Reason } from '../../lib/locale.js';
import { DetailedError, errorDetail } from '../../lib/reasons.js';
import { type NegotiationVerb, telnetCommands, telnetOptions } from '../telnet/telnet-codes.js';
import { TelnetDecoder, type TelnetHandler } from '../telnet/telnet-decoder.js';
import { encodeNegotiation, encodeSubnegotiation } from '../telnet/telnet-encoder.js';
import type { HostConnection, HostConnectionHandler } from './host-connection.js';
import type { HostSessionOptions } from './host-session-options.js';

interface StartTlsPort {
  drop(): void;
  secured(connection: HostConnection): void;
  failed(detail: Detail): void;
}

const FOLLOWS = 1;
/** The only bytes sent in clear text if TLS is required. */
const allowed: readonly Uint8Array[] = [
  encodeNegotiation('will', telnetOptions.startTls),
  encodeSubnegotiation(Uint8Array.of(telnetOptions.startTls, FOLLOWS)),
];

/**
 * TLS started within TELNET (draft-altman-telnet-starttls). If TLS is required, only its negotiation is accepted and
 * sent before TLS is active. Otherwise, anyone able to modify traffic could remove the host's request and read the
 * user's data.
 */
export class StartTls {
  readonly #options: Pick<HostSessionOptions, 'startTls' | 'requiresStartTls'>;
  readonly #port: StartTlsPort;
  #isOn = false;
  #isStarting = false;
  #hasFailed = false;

  constructor(options: Pick<HostSessionOptions, 'startTls' | 'requiresStartTls'>, port: StartTlsPort) {
    this.#options = options;
    this.#port = port;
  }

  get isMissing(): boolean {
    return this.#options.requiresStartTls === true && !this.#isOn;
  }

  /** To be called for each connection, because TLS may be active from the first byte. */
  connected(connection: HostConnection): void {
    if (connection.secured !== undefined) this.#isOn = true;
  }

  maySend(bytes: Uint8Array): boolean {
    if (this.#hasFailed) return false;
    return !this.isMissing || allowed.some((known) => Buffer.compare(known, bytes) === 0);
  }

  /** @returns a handler that passes only the negotiation of TLS while TLS is missing */
  guard(handler: TelnetHandler): TelnetHandler {
    const unless = (reason: Reason, tell: () => void, isOfTls = false) => {
      if (this.#hasFailed) return;
      if (this.isMissing && !isOfTls) this.missing(reason);
      else tell();
    };
    return {
      record: (bytes) => unless(sentFirst('a record'), () => handler.record(bytes)),
      data: (bytes) => unless(sentFirst('data'), () => handler.data(bytes)),
      command: (command) => unless(sentFirst(`command ${command}`), () => handler.command(command)),
      tooLong: (what) => unless(sentFirst(`a ${what} that is too long`), () => handler.tooLong(what)),
      negotiation: (verb, option) => {
        const isOfTls = verb === 'do' && option === telnetOptions.startTls;
        unless(negotiationReason(verb, option), () => handler.negotiation(verb, option), isOfTls);
      },
      subnegotiation: (body) => {
        const isOfTls = body[0] === telnetOptions.startTls;
        unless(sentFirst('a subnegotiation'), () => handler.subnegotiation(body), isOfTls);
      },
    };
  }

  /** Replaces the end of a silent session by the missing STARTTLS, if TLS was required. */
  endOf(end: HostSessionEnd = { kind: 'stopped' }): HostSessionEnd {
    return end.kind === 'silent' && this.isMissing
      ? { kind: 'failed', detail: missing({ code: 'startTls.silent' }) }
      : end;
  }

  missing(reason: Reason): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#port.failed(missing(reason));
  }

  begin(connection: HostConnection | undefined): void {
    const { startTls } = this.#options;
    if (startTls === undefined || connection === undefined || this.#isStarting || this.#hasFailed) return;
    this.#isStarting = true;
    // discard data received in clear text: an incomplete record and the bytes after the command that starts TLS
    this.#port.drop();
    startTls(connection, new AbortController().signal).then(
      () => {
        this.#isStarting = false;
        this.#isOn = true;
        this.#port.secured(connection);
      },
      (error: unknown) => this.#port.failed(errorDetail(error)),
    );
  }
}

function missing(reason: Reason): Reason {
  return { code: 'connection.noStartTls', values: { reason } };
}

function sentFirst(what: string): Reason {
  return { code: 'startTls.sent', values: { what } };
}

function negotiationReason(verb: NegotiationVerb, option: number): Reason {
  const isRefusal = option === telnetOptions.startTls && telnetCommands[verb] !== telnetCommands.do;
  const command = verb.toUpperCase();
  return isRefusal ? { code: 'startTls.refused', values: { command } } : sentFirst(`${command} ${option}`);
}

interface ProbeOptions {
  readonly connect: (handler: HostConnectionHandler) => Promise<HostConnection>;
  readonly startTls: (connection: HostConnection, signal: AbortSignal) => Promise<void>;
  readonly milliseconds: number;
}

/** Starts TLS like a session that requires STARTTLS, then closes the connection. @returns protocol and cipher */
export async function probeStartTls({ connect, startTls, milliseconds }: ProbeOptions): Promise<string> {
  let connection: HostConnection | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const starting = new StartTls(
        { startTls, requiresStartTls: true },
        {
          drop: () => decoder.drop(),
          secured: ({ secured = '' }) => resolve(secured),
          failed: (detail) => reject(new DetailedError(detail)),
        },
      );
      const ignored = () => undefined;
      const decoder = new TelnetDecoder(
        starting.guard({
          record: ignored,
          data: ignored,
          command: ignored,
          tooLong: ignored,
          negotiation: () => {
            const follows = encodeSubnegotiation(Uint8Array.of(telnetOptions.startTls, FOLLOWS));
            connection?.write(Buffer.concat([encodeNegotiation('will', telnetOptions.startTls), follows]));
          },
          subnegotiation: () => starting.begin(connection),
        }),
      );
      timer = setTimeout(() => starting.missing({ code: 'startTls.silent' }), milliseconds);
      connect({
        take: (chunk, mayGoOn) => decoder.feed(chunk, mayGoOn),
        goOn: (mayGoOn) => decoder.goOn(mayGoOn),
        ended: () => starting.missing({ code: 'startTls.closed' }),
        failed: reject,
      }).then((opened) => {
        connection = opened;
        opened.start();
      }, reject);
    });
  } finally {
    clearTimeout(timer);
    connection?.destroy();
  }
}
