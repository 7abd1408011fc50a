import { type OpeningFault, openingFaults } from '../../../machines/line.machine.js';
import { messageOf } from '../../lib/text/messages.js';
import type { ListenerDefinition } from './line-definition.js';

export class LineOpeningError extends Error {
  override readonly name = 'LineOpeningError';

  constructor(
    readonly fault: OpeningFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const faultsOfSystemErrors: Readonly<Record<string, { readonly fault: OpeningFault; readonly words: string }>> = {
  EADDRINUSE: { fault: openingFaults.portTaken, words: 'the port is taken by another program' },
  EADDRNOTAVAIL: { fault: openingFaults.addressMissing, words: 'this machine does not have the address' },
  EAI_AGAIN: { fault: openingFaults.addressMissing, words: 'the host name cannot be resolved now' },
  ENOTFOUND: { fault: openingFaults.refused, words: 'the host name is unknown' },
  EACCES: { fault: openingFaults.refused, words: 'this user has no permission for this port' },
};

/** `host:port`, an IPv6 address in brackets, `*` for every address. */
export function listenAddress({ host, port }: Pick<ListenerDefinition, 'host' | 'port'>): string {
  if (host === undefined) return `*:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export function openingErrorOf(
  error: unknown,
  definition: Pick<ListenerDefinition, 'name' | 'host' | 'port'>,
  kind: 'line' | 'host' = 'line',
): LineOpeningError {
  if (error instanceof LineOpeningError) return error;
  const fault = knownFaultOf(error)?.fault ?? openingFaults.refused;
  const message = `${kind} ${definition.name}: ${openingWordsOf(error, definition)}`;
  return new LineOpeningError(fault, message, { cause: error });
}

export function openingWordsOf(error: unknown, at: Pick<ListenerDefinition, 'host' | 'port'>): string {
  const words = knownFaultOf(error)?.words ?? messageOf(error);
  return `cannot listen on ${listenAddress(at)}: ${words}`;
}

function knownFaultOf(error: unknown) {
  return faultsOfSystemErrors[error instanceof Error && 'code' in error ? String(error.code) : ''];
}
