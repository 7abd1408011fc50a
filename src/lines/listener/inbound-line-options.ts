import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ReadPem } from './line-definition.js';

/** What takes requests for another protocol on a connection of the line. */
type LineUpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface InboundLineOptions {
  /** Without it they are answered like any other request. */
  readonly upgrade?: LineUpgradeListener | undefined;
  /** What counts as one client, of the address of a connection; without it, the address itself. Undefined: many do. */
  readonly clientOf?: ((remoteAddress: string) => string | undefined) | undefined;
  /** The client that a request of a trusted proxy comes from. */
  readonly clientOfRequest?: ((request: IncomingMessage) => string) | undefined;
  /** Of certificate and key, each time the line opens; without it, no line with TLS opens. */
  readonly readPem?: ReadPem | undefined;
  /** Told of every request that the line refuses by itself. */
  readonly onRefused?: ((status: number) => void) | undefined;
  /** Told, in words, of every time that the line could not open. */
  readonly onFault?: ((reason: string) => void) | undefined;
  /** Waits between the attempts to open; the last one is kept. */
  readonly retryMilliseconds?: readonly number[];
}

export interface ClosingOptions {
  /**
   * How long a closing line still takes connections that the system has already accepted, because closing would reset them;
   * their requests are refused properly. Ends when there are none left.
   */
  readonly emptyingMilliseconds?: number;
  /** They are served instead: another line, or another process, takes the place of this one. */
  readonly servesLast?: boolean;
  /** Told when nobody can connect any more. */
  readonly onReleased?: () => void;
}
