import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';
import { InboundLine } from '../../lines/listener/inbound-line.js';
import {
  type HealthSource,
  type MetricsSource,
  managementLimits,
  managementListener,
  managementRefusal,
} from '../../operation/management-listener.js';
import { type Listener, WAITS_FOR_PORT } from '../listener.js';

const NAME = 'management';

/** The management port; not yet open. */
export function managementLine(
  address: NonNullable<Configuration['management']>,
  sources: { readonly health: HealthSource; readonly metrics: MetricsSource },
  log: Log,
): InboundLine {
  const definition = { name: NAME, externalName: NAME, ...address, tls: undefined, limits: managementLimits };
  return new InboundLine(definition, managementListener(sources.health, sources.metrics), log, managementRefusal);
}

export function managementListed({ url, state }: InboundLine): Listener {
  const waits = state === 'listening' ? '' : WAITS_FOR_PORT;
  return { name: NAME, url, purpose: `health and metrics${waits}` };
}
