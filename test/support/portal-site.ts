import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileSecurityDatabase } from '../../src/access/users/file-security-database.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { type Log, silentLog } from '../../src/lib/log/log.js';
import { startServer } from '../../src/server/server.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { CHEAP_PASSWORDS } from './cheap-passwords.js';
import { projectFolder } from './project.js';

export const ADMINISTRATOR = { name: 'admin', password: 'open-Sesame-1' } as const;
export const OPERATOR = { name: 'OPERA', password: 'only-Looking-2' } as const;
/** Of the groups OPS and DEV. */
export const ANNA = { name: 'ANNA', password: 'anna-Geheim-33' } as const;
/** Of the group OPS. */
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
  /** Empty where `yaml` has no management port. */
  readonly managementUrl: string;
  /** Of the configuration; the state lies in its folder `data`. */
  readonly folder: string;
  /** What the server has, too: the file is the same. */
  readonly users: FileSecurityDatabase;
  /** Everything logged, as text. */
  log(): string;
  /** Where the server logs to. */
  readonly logTo: Log;
  stop(): Promise<void>;
}

export interface PortalSiteOptions {
  /** Folder of the pages of the client line; the shipped ones where it is not given. */
  readonly pages?: string;
  /** False: centralized macros are not configured. */
  readonly macros?: boolean;
  /** CRYPTn of the table, as YAML flow; the first one is that of the forms. Empty: passwords travel in clear. */
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
  /** The directory of the portal's entry point; the shipped one where not said. */
  readonly portalPages?: string;
  /** Further keys of the configuration. */
  readonly yaml?: string;
}

/** A portal line and a client line with the shipped pages, four users, and a folder of macros. */
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
  const opened = new FileSecurityDatabase({
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

/** What the file of users holds: hashing takes its time, and is done once. */
let filled: Buffer | undefined;

async function fill(file: string): Promise<void> {
  if (filled !== undefined) {
    writeFileSync(file, filled, { mode: 0o600 });
    return;
  }
  const database = new FileSecurityDatabase({
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
