import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import type { Log } from '../../src/lib/log/log.js';
import { startServer } from '../../src/server/server.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { fixture, projectFolder } from '../support/project.js';

export interface SessionSite {
  readonly url: string;
  /** Of a further line, which `line` has added. */
  readonly urlOf: (line: string) => string;
  /** Everything logged, as text. */
  readonly log: () => string;
  readonly folder: string;
  stop(): Promise<void>;
}

export interface SessionSiteOptions {
  /** Members of entryPoints.CLI.transactions, as YAML flow. */
  readonly transactions?: string;
  readonly host?: string;
  readonly hosts?: string;
  /** Members of `printers`. */
  readonly printers?: string;
  readonly limits?: string;
  readonly line?: string;
  readonly tct?: string;
  readonly sessions?: string;
  readonly entryPoint?: string;
  readonly pages?: string;
  /** Further settings of the file, as YAML. */
  readonly settings?: string;
  readonly log?: Log;
  /** Sources of presentation modules by their names. */
  readonly scenarios?: Readonly<Record<string, string>>;
  /** Further pages by their names; with them the usual ones are in the directory, too. */
  readonly furtherPages?: Readonly<Record<string, string>>;
}

export const usualTransactions = [
  'TSO: { applicationType: 1, application: SIM, crypt: CRYPT3270 }',
  'NULL: { applicationType: 1, application: SIM, crypt: CRYPTNULL }',
  'GCM: { applicationType: 1, application: SIM, crypt: CRYPTGCM }',
  'CLEAR: { applicationType: 1, application: SIM }',
  'w2h: { applicationType: 4, application: W2H-DIR }',
].join('\n      ');

/** A server with host sessions, on a free port. */
export async function startSessionSite({
  transactions = usualTransactions,
  host = '',
  hosts = '',
  printers = '',
  limits = '',
  line = '',
  tct = '',
  sessions = '{ keysReady: 0 }',
  entryPoint = '',
  pages = fixture('session-pages'),
  settings = '',
  log,
  scenarios,
  furtherPages,
}: SessionSiteOptions = {}): Promise<SessionSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-sessions-'));
  if (scenarios !== undefined) mkdirSync(join(folder, 'scenarios'));
  for (const [name, source] of Object.entries(scenarios ?? {})) {
    writeFileSync(join(folder, 'scenarios', `${name}.scn`), source);
  }
  const pageFolder = furtherPages === undefined ? pages : join(folder, 'pages');
  if (furtherPages !== undefined) cpSync(pages, pageFolder, { recursive: true });
  for (const [name, page] of Object.entries(furtherPages ?? {})) writeFileSync(join(pageFolder, name), page);
  const file = join(folder, 'sallyport.yaml');
  writeFileSync(
    file,
    `data: ./data
${settings}
tct:
  CRYPT1: (CRYPT3270,3TDEA,RSA-1024,NODE,HEX)
  CRYPT2: (CRYPTNULL,NONE,NONE,NO-ENCRYPTION,HEX)
  CRYPT3: (CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE)
  ${tct}
${scenarios === undefined ? '' : 'scenarios: ./scenarios'}
directories: { CLI-DIR: '${pageFolder}', W2H-DIR: '${join(projectFolder, 'public')}' }
hosts:
  SIM: { simulated: true, users: { DEMO: demo, ANNA: geheim }${host === '' ? '' : `, ${host}`} }
  ${hosts}
${printers === '' ? '' : `printers:\n  ${printers}`}
sessions: ${sessions}
lines:
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI, limits: { ${limits} }${line === '' ? '' : `, ${line}`} }
entryPoints:
  CLI:
    directory: CLI-DIR
    ${entryPoint}
    transactions:
      ${transactions}
`,
  );
  const { configuration } = await loadConfiguration(file);
  const recorded = recordingLog();
  const server = await startServer(configuration, log ?? recorded.log);
  const urlOf = (name: string) => server.listeners.find((listener) => listener.name === name)?.url ?? '';
  return {
    url: urlOf('C-HTTP'),
    urlOf,
    log: () => recorded.texts.join('\n'),
    folder,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
