import type { ServiceError } from '../../../src/lib/errors.js';
import type { InboundLimits, InboundLineDefinition } from '../../../src/lines/listener/line-definition.js';
import type { MakeRefusal } from '../../../src/lines/listener/refusal.js';

export const roomyLimits: InboundLimits = {
  sessions: 100,
  sessionsPerAddress: 100,
  sessionStartsPerAddress: 100,
  sessionIdleSeconds: 300,
  connections: 100,
  connectionsPerAddress: 100,
  urlBytes: 8_192,
  headerBytes: 16_384,
  bodyBytes: 65_536,
  headerSeconds: 20,
  requestSeconds: 30,
  idleSeconds: 30,
};

export function lineDefinition(
  changes: Partial<Omit<InboundLineDefinition, 'limits'>> & { readonly limits?: Partial<InboundLimits> } = {},
): InboundLineDefinition {
  return {
    name: 'C-HTTP',
    externalName: 'HTTP-CLI',
    host: '127.0.0.1',
    port: 0,
    entryPoint: 'CLIWHOST',
    portal: undefined,
    tls: undefined,
    hostNames: undefined,
    trustedProxies: [],
    answers: { server: true, headers: {} },
    ...changes,
    limits: { ...roomyLimits, ...changes.limits },
  };
}

/** The port that the edge provides in the product: here the code of the error is the body. */
export const codeAsRefusal: MakeRefusal = (error: ServiceError) => {
  const body = Buffer.from(error.code);
  return { status: error.description.status, headers: ['Content-Length', String(body.length)], body };
};

export function portOf(url: string): number {
  return Number(new URL(url).port);
}
