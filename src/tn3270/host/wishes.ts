import type { ClientNegotiation } from '../telnet/client-negotiation.js';
import type { HostSessionOptions } from './host-session-options.js';

/** What a session asks its host for. */
export function wishesOf({
  model: { alternateSize, deviceType, terminalType },
  startTls,
  ...options
}: HostSessionOptions): ConstructorParameters<typeof ClientNegotiation>[0] {
  const { deviceNames, tn3270e, fallsBack, functions, environment, environmentByName } = options;
  return {
    deviceType,
    terminalType,
    deviceNames,
    tn3270e,
    fallsBack,
    functions,
    environment,
    environmentByName,
    startTls: startTls !== undefined,
    ...alternateSize,
  };
}
