/** What answers a request: what its path asks for, or nothing where it could not be read. */
type RequestKind = 'page' | 'transaction' | 'session' | 'service' | 'refused';

/** The states of a host session, as its chart has them. */
export type HostSessionState = 'connecting' | 'negotiating' | 'connected' | 'closing';

/** Why the internal line ended a connection: no other node sends such bytes. */
export type InternalRefusal = 'seal' | 'early' | 'certificate' | 'handshake';

/** What happens in sessions with one host. */
export interface HostMeasures {
  /** A session comes into a state from another one; undefined: it was none before, or is none any more. */
  sessionMoved(from: HostSessionState | undefined, to: HostSessionState | undefined): void;
  connected(seconds: number): void;
  /** From a key that went to the host to the keyboard that is free again. */
  responded(seconds: number): void;
}

/**
 * What happens in the server, told to whoever counts it. Names are those of the configuration and fixed words: never users,
 * sessions, logical units or addresses.
 */
export interface Measures {
  ofHost(host: string): HostMeasures | undefined;
  requestAnswered(line: string, kind: RequestKind, status: number, seconds: number): void;
  screenUpdated(bytes: number): void;
  scenarioEnded(scenario: string, outcome: string, seconds: number): void;
  /** @param failure undefined: there was a reply */
  /** A record of a scenario holds digits that are not the number in the document. */
  scenarioTruncated(scenario: string): void;
  outboundEnded(line: string, failure: string | undefined, seconds: number): void;
  signOnEnded(method: string, outcome: string): void;
  macrosUploaded(level: string, outcome: string): void;
  serviceCalled(service: string, outcome: string): void;
  poolWaited(pool: string, seconds: number): void;
  keyWaited(seconds: number): void;
  documentPrinted(printer: string, outcome: 'printed' | 'cut' | 'failed'): void;
  internalLineRefused(reason: InternalRefusal): void;
}

/** For servers that nobody measures. */
export const noMeasures: Measures = {
  ofHost: () => undefined,
  requestAnswered: () => {},
  screenUpdated: () => {},
  scenarioEnded: () => {},
  scenarioTruncated: () => {},
  outboundEnded: () => {},
  signOnEnded: () => {},
  macrosUploaded: () => {},
  serviceCalled: () => {},
  poolWaited: () => {},
  keyWaited: () => {},
  documentPrinted: () => {},
  internalLineRefused: () => {},
};

/** @param since of `performance.now()` */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1_000;
}
