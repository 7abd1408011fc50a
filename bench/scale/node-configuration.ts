import { join } from 'node:path';
import { projectFolder } from '../../test/support/project.js';
import { LOOPBACK } from '../../test/support/real-proxy.js';

export interface BedNode {
  readonly code: string;
  readonly file: string;
  readonly client: string;
  readonly portal: string;
  /** Port for health and metrics. */
  readonly management: number;
}

interface NodeSettings {
  readonly code: string;
  readonly client: number;
  readonly portal: number;
  readonly management: number;
  readonly hostPort: string;
  readonly processes: number;
  readonly store: string;
}

const limits = [
  'connections: 4000, connectionsPerAddress: 4000, sessions: 4000',
  'sessionsPerAddress: 4000, sessionStartsPerAddress: 100000',
].join(', ');

export function nodeConfiguration({
  code,
  client,
  portal,
  management,
  hostPort,
  processes,
  store,
}: NodeSettings): string {
  const shipped = (...names: readonly string[]) => join(projectFolder, ...names);
  return `data: ./data-${code}
cluster: { node: ${code} }
processes: ${processes}
drainMinutes: 1
store: { postgresql: '${store}', statementSeconds: 2 }
management: { listen: '${LOOPBACK}:${management}', stopDelaySeconds: 2 }
log: { level: error }
directories:
  CLI-DIR: '${shipped('templates', 'pages')}'
  REQ-DIR: '${shipped('templates', 'requests')}'
  ADM-DIR: '${shipped('templates', 'portal')}'
  W2H-DIR: '${shipped('public')}'
scenarios: ./scenarios
macros: ./data-${code}/macros
hosts: { SIM: { address: '${LOOPBACK}:${hostPort}' } }
sessions: { keysReady: 0 }
lines:
  O-HTTP: { outbound: true, site: $SITE$ }
  W-HTTP: { listen: '${LOOPBACK}:${portal}', entryPoint: WEB2HOST, portal: administration, limits: { ${limits} } }
  C-HTTP: { listen: '${LOOPBACK}:${client}', entryPoint: CLIWHOST, trustedProxies: [${LOOPBACK}], limits: { ${limits} } }
entryPoints:
  WEB2HOST: { directory: ADM-DIR, transactions: { w2h: { applicationType: 4, application: W2H-DIR } } }
  CLIWHOST:
    directory: CLI-DIR
    transactions:
      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }
      WS3: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: SCENRATE }
      w2h: { applicationType: 4, application: W2H-DIR }
`;
}
