/** `refused`: the request could not be read. */
type RequestKind = 'page' | 'transaction' | 'session' | 'service' | 'refused';

export type HostSessionState = 'connecting' | 'negotiating' | 'connected' | 'closing';

export type InternalRefusal = 'seal' | 'early' | 'certificate' | 'handshake';

export interface HostMetrics {
  /** Undefined: before the first or after the last state. */
  sessionMoved(from: HostSessionState | undefined, to: HostSessionState | undefined): void;
  connected(seconds: number): void;
  /** Time from an attention key to the unlocked keyboard. */
  responded(seconds: number): void;
}

/** Receiver of measured events. Names are configured or fixed, never users, sessions, logical units or addresses. */
export interface Metrics {
  ofHost(host: string): HostMetrics | undefined;
  requestAnswered(line: string, kind: RequestKind, status: number, seconds: number): void;
  screenUpdated(bytes: number): void;
  scenarioEnded(scenario: string, outcome: string, seconds: number): void;
  /** The digits in a record differ from the number in the document. */
  scenarioTruncated(scenario: string): void;
  /** @param failure undefined if the call got a reply */
  outboundEnded(line: string, failure: string | undefined, seconds: number): void;
  signOnEnded(method: string, outcome: string): void;
  macrosUploaded(level: string, outcome: string): void;
  serviceCalled(service: string, outcome: string): void;
  poolWaited(pool: string, seconds: number): void;
  keyWaited(seconds: number): void;
  documentPrinted(printer: string, outcome: 'printed' | 'cut' | 'failed'): void;
  internalLineRefused(reason: InternalRefusal): void;
}

export const noMetrics: Metrics = {
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

export function secondsSince(since: number): number {
  return (performance.now() - since) / 1_000;
}
