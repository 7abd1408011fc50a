import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileUserStore } from '../../src/access/users/file-user-store.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { type Log, silentLog } from '../../src/lib/log/log.js';
import { startServer } from '../../src/server/server.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { CHEAP_PASSWORDS } from './cheap-passwords.js';
import { projectFolder } from './project.js';

export const ADMINISTRATOR = { name: 'admin', password: 'open-Sesame-1' } as const;
export const OPERATOR = { name: 'OPERA', password: 'only-Looking-2' } as const;
/** Member of the groups OPS and DEV. */
export const ANNA = { name: 'ANNA', password: 'anna-Geheim-33' } as const;
/** Member of the group OPS. */
export const BERT = { name: 'BERT', password: 'bert-Geheim-44' } as const;

const users = [
  { ...ADMINISTRATOR, role: 'administrator', groups: [] },
  { ...OPERATOR, role: 'operator', groups: [] },
  { ...ANNA, role: 'user', groups: ['OPS', 'DEV'] },
  { ...BERT, role: 'user', groups: ['OPS'] },
] as const;

export interface PortalSite {
  readonly portalUrl: string;
  readonly clientUrl: string;
  /** Empty if `yaml` configures no management port. */
  readonly managementUrl: string;
  /** Folder of the configuration; the state is in its subfolder `data`. */
  readonly folder: string;
  /** Reads and writes the same file as the server. */
  readonly users: FileUserStore;
  log(): string;
  readonly logTo: Log;
  stop(): Promise<void>;
}

export interface PortalSiteOptions {
  readonly pages?: string;
  /** False to leave centralized macros out of the configuration. */
  readonly macros?: boolean;
  /** CRYPTn of the table, as YAML flow; the forms use the first. Empty: passwords are sent in clear. */
  readonly crypts?: string;
  /** Members of sessions, as YAML flow. */
  readonly sessions?: string;
  /** Further members of hosts, as YAML flow with a comma at the end. */
  readonly hosts?: string;
  /** Members of security, as YAML flow. */
  readonly security?: string;
  /** Members of entryPoints.CLIWHOST.transactions, as YAML lines of that depth. */
  readonly transactions?: string;
  /** Members of entryPoints.CLIWHOST, as YAML lines of that depth. */
  readonly entryPoint?: string;
  /** Members of the client line, as YAML flow. */
  readonly clientLine?: string;
  /** Further members of lines, as YAML lines of that depth. */
  readonly lines?: string;
  readonly portalPages?: string;
  readonly yaml?: string;
}

/** Starts a portal line and a client line with the shipped pages, four users, and a folder of macros. */
export async function startPortalSite({
  macros = true,
  crypts = "CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)'",
  sessions = 'keysReady: 0',
  hosts = '',
  security = '',
  transactions = '',
  entryPoint = '',
  clientLine = '',
  lines = '',
  yaml = '',
  pages = join(projectFolder, 'templates', 'pages'),
  portalPages = join(projectFolder, 'templates', 'portal'),
}: PortalSiteOptions = {}): Promise<PortalSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-portal-'));
  const file = join(folder, 'sallyport.yaml');
  const shipped = (...names: string[]) => join(projectFolder, ...names);
  const database = join(folder, 'data', 'security.yaml');
  writeFileSync(
    file,
    `data: ./data
tct: { ${crypts} }
directories: { CLI-DIR: '${pages}', ADM-DIR: '${portalPages}', W2H-DIR: '${shipped('public')}' }
security: { database: ./data/security.yaml${security === '' ? '' : `, ${security}`} }
${macros ? 'macros: ./data/macros' : ''}
hosts: { ${hosts}SIM: { simulated: true, users: { DEMO: demo } } }
sessions: { ${sessions} }
lines:
  W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration }
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLIWHOST${clientLine === '' ? '' : `, ${clientLine}`} }
${lines}
entryPoints:
  WEB2HOST:
    directory: ADM-DIR
    transactions:
      w2h: { applicationType: 4, application: W2H-DIR }
  CLIWHOST:
    directory: CLI-DIR
    lastPage: BYE.HTML
${entryPoint}
    transactions:
      TSO4: { applicationType: 1, application: SIM${crypts === '' ? '' : ', crypt: CRYPT3270'}, security: 4, page: TERMINAL.HTML }
      w2h: { applicationType: 4, application: W2H-DIR }
${transactions}
${yaml}
`,
  );
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  await fill(database);
  const { configuration } = await loadConfiguration(file);
  const recorded = recordingLog();
  const settled = { ...configuration, passwordCost: CHEAP_PASSWORDS };
  const server = await startServer(settled, recorded.log, recorded.lastLines);
  const urlOf = (name: string) => server.listeners.find((listener) => listener.name === name)?.url ?? '';
  const { lockAfter, lockMinutes } = configuration.security;
  const opened = new FileUserStore({
    passwordCost: CHEAP_PASSWORDS,
    file: database,
    log: silentLog,
    lockAfter,
    lockMinutes,
  });
  await opened.open();
  return {
    portalUrl: urlOf('W-HTTP'),
    clientUrl: urlOf('C-HTTP'),
    managementUrl: urlOf('management'),
    folder,
    users: opened,
    log: () => recorded.texts.join('\n'),
    logTo: recorded.log,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Content of the user file, created once because hashing is slow. */
let filled: Buffer | undefined;

async function fill(file: string): Promise<void> {
  if (filled !== undefined) {
    writeFileSync(file, filled, { mode: 0o600 });
    return;
  }
  const database = new FileUserStore({
    passwordCost: CHEAP_PASSWORDS,
    file,
    log: silentLog,
    lockAfter: 10,
    lockMinutes: 30,
  });
  await database.open();
  for (const { name, role, groups, password } of users) {
    await database.addUser({ name, role, groups, expires: undefined }, password);
  }
  filled = readFileSync(file);
}
