export interface FloodedServer {
  readonly port: number;
  readonly tlsPort: number;
}

export interface FloodTask extends FloodedServer {
  readonly kind: string;
  readonly seconds: number;
  /** Limits the number of connections of every flood; for a quick check of the program. */
  readonly mostConnections: number;
}

export interface FloodResult {
  readonly sent: number;
  readonly receivedBytes: number;
}

export interface HonestTask extends FloodedServer {
  readonly seconds: number;
}

/** Milliseconds of each answer, by the kind of request. An answer that did not come is counted with the whole waiting time. */
export type HonestResult = Readonly<Record<HonestRequest, readonly number[]>>;

export const honestRequests = ['page', 'scenario', 'form', 'key'] as const;
export type HonestRequest = (typeof honestRequests)[number];
