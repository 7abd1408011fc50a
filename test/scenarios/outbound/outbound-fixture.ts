import { expect } from 'chai';
import { readPemFile } from '../../../src/config/read-pem-file.js';
import { OutboundError, type OutboundReply, type OutboundRequest } from '../../../src/scenarios/outbound/outbound.js';
import { OutboundLines } from '../../../src/scenarios/outbound/outbound-line.js';
import type { OutboundLimits, OutboundTls } from '../../../src/scenarios/outbound/outbound-line-definition.js';

export const usualLimits: OutboundLimits = {
  connections: 8,
  queuedRequests: 8,
  connectSeconds: 5,
  replyBytes: 1024 * 1024,
  replyHeaderBytes: 16_384,
};

export interface LineChanges {
  readonly limits?: Partial<OutboundLimits>;
  readonly site?: string;
  readonly tls?: Partial<OutboundTls>;
}

/** One line `O-HTTP`; its site is that of the request unless one is given. */
export function openLine({ limits = {}, site, tls }: LineChanges = {}): OutboundLines {
  const definition = {
    name: 'O-HTTP',
    externalName: 'OUT',
    site,
    tls: tls && { ca: undefined, cert: undefined, key: undefined, ...tls },
    limits: { ...usualLimits, ...limits },
  };
  return new OutboundLines([definition], readPemFile);
}

export function post(site: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    site,
    path: '/CurrencyConvertor.asmx',
    headers: [['Content-Type', 'application/soap+xml']],
    body: Buffer.from('<a/>'),
    ...changes,
  };
}

/** A signal that nothing aborts. */
export function noSignal(): AbortSignal {
  return new AbortController().signal;
}

export async function failureOf(call: Promise<OutboundReply>): Promise<OutboundError> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  expect(outcome).to.be.instanceOf(OutboundError);
  if (outcome instanceof OutboundError) return outcome;
  throw new Error('the call succeeded');
}
