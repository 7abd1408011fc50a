import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileAuditTrail } from '../../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../../src/access/tokens/file-token-store.js';
import { TokenAdministration } from '../../../src/access/tokens/token-administration.js';
import { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { loadConfiguration } from '../../../src/config/load-configuration.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { startServer } from '../../../src/server/server.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { PrintingHost } from '../../support/printing-host.js';
import { projectFolder } from '../../support/project.js';
import { HeardHost } from './heard-host.js';

export const ANNA = { name: 'ANNA', password: 'anna-Geheim-33', groups: ['DEV'], role: 'user' } as const;
export const BERT = { name: 'BERT', password: 'bert-Geheim-44', groups: ['OPS'], role: 'user' } as const;
export const OPERA = { name: 'OPERA', password: 'opera-Geheim-55', groups: ['DEV'], role: 'operator' } as const;
export type User = typeof ANNA | typeof BERT | typeof OPERA;

/** The INPUT scenario decides by the first character of the option field. */
const CHECK = `         SCENARIO INPUT
         IF$   FIRST-PASS,THEN=OUT
         CASE$ (3,14,1),(EQ,'B',STOP),(EQ,'R',REFUSE),(EQ,'A',SEND),(EQ,'D',LEAVE),ELSE=OUT
STOP     ACTION$ TO-TERMINAL
REFUSE   ERROR$ 5,'not this one'
LEAVE    ACTION$ DISCONNECT
OUT      SCENARIO END
SEND     COPY$ VALUE-TO-SCREEN,VALUE='2',SCREEN=(3,14),TYPE=ERASE-FIELD
         ACTION$ TO-APPLICATION,KEY=7D
         SCENARIO SUCCESS
`;
/** From the menu on to a panel whose answer takes its time: nobody is shown the menu, or that panel before its answer. */
const walk = (kind: string) => `         SCENARIO ${kind}
         CASE$ (1,2,4),(EQ,'MENU',WALK),ELSE=OUT
WALK     COPY$ VALUE-TO-SCREEN,VALUE='8',SCREEN=(3,14)
         ACTION$ TO-APPLICATION,KEY=7D
         COPY$ VALUE-TO-SCREEN,VALUE='0.5',SCREEN=(5,17)
         ACTION$ TO-APPLICATION,KEY=7D
OUT      SCENARIO END
`;
/** A transaction of type 2: types a parameter into the menu, and answers with the message of the host. */
const SERVES = `         SCENARIO INITIAL
         COPY$ INPUT-TO-VARIABLE,FIELD='password',VAR='T'
         IF$   NOT-FOUND,THEN=SAY
         COPY$ VARIABLE-TO-SCREEN,VAR='T',SCREEN=(3,14)
         ACTION$ TO-APPLICATION,KEY=7D
SAY      COPY$ SCREEN-TO-VARIABLE,SCREEN=(22,2,60),VAR='A'
         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'
         SCENARIO END
`;

const services: Readonly<Record<string, string>> = {
  'sign-on': 'parameters: { user: { type: string }, password: { type: string, secret: true } }\nsteps: [{ at: MENU }]',
  type: `pool: P\nparameters: { text: { type: string } }
steps: [{ at: MENU, fill: [{ at: [3, 14], text: '{text}' }], press: Enter, expect: MENU }, { at: MENU, extract: { message: { at: [22, 2], length: 40 } } }]`,
  lost: `pool: P\nparameters: { text: { type: string, secret: true } }
steps: [{ at: MENU, fill: [{ at: [3, 14], text: '{text}' }], press: Enter, expect: NOWHERE, within: 0.1 }]`,
  elsewhere: 'pool: P\nsteps: [{ at: NOWHERE, within: 0.1 }]',
  send: `pool: P\nparameters: { name: { type: string }, contents: { type: file, encoding: base64, maxBytes: 8 } }
steps: [{ at: MENU, type: T, press: Enter, expect: READY }, { at: READY, transfer: { direction: send, file: '{name}', contents: contents, mode: binary } }, { at: READY, press: PF3, expect: MENU }]`,
  receive: `pool: P\nparameters: { name: { type: string } }
steps: [{ at: MENU, type: T, press: Enter, expect: READY }, { at: READY, transfer: { direction: receive, file: '{name}', contents: file, mode: binary, most: 1048576 } }, { at: READY, press: PF3, expect: MENU }]`,
};

export const SCREENS = `screens:
  MENU: [{ text: MENU, row: 1, column: 2 }]
  ACCT: [{ text: ACCT, row: 1, column: 2 }]
  READY: [{ text: READY }]
  LATE: [{ text: LATE, row: 1, column: 2 }]
  NOWHERE: [{ text: 'NO SUCH PLACE' }]
`;

const hosted = (name: string, more = '') => `${name}: { applicationType: 1, application: MENU${more} }`;
const levels = [0, 1, 2, 3, 4, 5];
const transactions = [
  hosted('OPEN'),
  ...levels.map((level) => hosted(`S${level}`, `, security: ${level}, tioaAtLogon: 'SCRIPT${level}&/A'`)),
  ...levels.map(
    (level) =>
      `T${level}: { applicationType: 2, application: MENU, security: ${level}, tioaAtLogon: '&/S', initialScenario: SERVES }`,
  ),
  hosted('FILES', ', fileTransfer: { mebibytes: 1 }'),
  hosted('DEVELOPERS', ', security: 4, fileTransfer: { mebibytes: 1, groups: [DEV] }'),
  'SLOW: { applicationType: 1, application: SLOW, fileTransfer: {} }',
  hosted('INPUT', ', inputScenario: CHECK'),
  hosted('OUTPUT', ', outputScenario: OUTPUT'),
  hosted('WALKED', ", tioaAtLogon: '&/S', initialScenario: INITIAL"),
  hosted('SCRIPT', ", tioaAtLogon: 'TYPED&/A', inputScenario: CHECK"),
  hosted('BLOCKED', ", tioaAtLogon: 'BSCRIPT&/A', inputScenario: CHECK"),
  hosted('PRINT', ', security: 4, printer: LABELS'),
  'w2h: { applicationType: 4, application: W2H-DIR }',
].join('\n      ');

/** A server with everything that has rules. */
export class PolicySite {
  readonly host: HeardHost;
  readonly printing: PrintingHost;
  readonly #folder: string;
  readonly #urls: (line: string) => string;
  readonly #texts: readonly string[];
  readonly #stop: () => Promise<void>;
  readonly #tokens: TokenAdministration;

  private constructor(parts: {
    readonly host: HeardHost;
    readonly printing: PrintingHost;
    readonly folder: string;
    readonly urls: (line: string) => string;
    readonly texts: readonly string[];
    readonly stop: () => Promise<void>;
  }) {
    this.host = parts.host;
    this.printing = parts.printing;
    this.#folder = parts.folder;
    this.#urls = parts.urls;
    this.#texts = parts.texts;
    this.#stop = parts.stop;
    const audit = new FileAuditTrail({ file: this.#trail });
    this.#tokens = new TokenAdministration(new FileTokenStore(join(parts.folder, 'data', 'tokens.json')), audit);
  }

  static async open(): Promise<PolicySite> {
    const { host, port } = await HeardHost.listen();
    const printing = await PrintingHost.start();
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-policy-'));
    for (const name of ['data', 'services', 'scenarios']) mkdirSync(join(folder, name), { mode: 0o700 });
    cpSync(join(projectFolder, 'templates', 'pages'), join(folder, 'pages'), { recursive: true });
    writeFileSync(
      join(folder, 'pages', 'PLAIN.HTML'),
      `<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}{{{DEFINE-HTML-PFKEY "pf"}}}
<form id="screen-form" method="post" action="/{{{VIRPLEX-CODE}}}PLAIN.HTML++{{{AJAX-SESSION-CODE}}}">
<input type="hidden" name="pf" value="ENTER"><pre>{{{GENERATE-HTML (1,1,16384)}}}</pre></form>`,
    );
    writeFileSync(join(folder, 'services', 'screens.yaml'), SCREENS);
    for (const [name, text] of Object.entries(services)) {
      writeFileSync(join(folder, 'services', `${name}.yaml`), `service: ${name}\n${text}\n`);
    }
    for (const [name, source] of Object.entries({
      CHECK,
      SERVES,
      OUTPUT: walk('OUTPUT'),
      INITIAL: walk('INITIAL'),
    })) {
      writeFileSync(join(folder, 'scenarios', `${name}.scn`), source);
    }
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(file, configurationFor(port, printing.port));
    await addUsers(join(folder, 'data', 'security.yaml'));
    const { configuration } = await loadConfiguration(file);
    const { log, texts } = recordingLog();
    const server = await startServer({ ...configuration, passwordCost: CHEAP_PASSWORDS }, log);
    const urls = (line: string) => server.listeners.find(({ name }) => name === line)?.url ?? '';
    return new PolicySite({ host, printing, folder, urls, texts, stop: () => server.stop() });
  }

  url(line = 'C-HTTP'): string {
    return this.#urls(line);
  }

  token(...scopes: string[]): Promise<string> {
    const name = `t${Math.random().toString(36).slice(2)}`;
    return this.namedToken(name, ...scopes);
  }

  namedToken(name: string, ...scopes: string[]): Promise<string> {
    return this.#tokens.add({ who: 'test', from: 'test' }, { name, scopes, days: 1 });
  }

  /** The entries of the audit trail that name a text, as they are, without numbers, times and hashes. */
  audited(text: string): readonly object[] {
    const lines = this.#trailText.split('\n');
    const found = lines.filter((line) => line.includes(`"${text}"`)).map((line) => JSON.parse(line));
    return found.map(({ who, from, what, subject, after, stage }) => ({ who, from, what, subject, after, stage }));
  }

  /** Whether a text is in the log or the audit trail. */
  isKept(text: string): boolean {
    return [...this.#texts, this.#trailText].some((kept) => kept.includes(text));
  }

  /** While the audit trail cannot be written. */
  async withoutTrail<T>(work: () => Promise<T>): Promise<T> {
    const file = this.#trail;
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    try {
      return await work();
    } finally {
      rmdirSync(file);
      renameSync(`${file}.away`, file);
    }
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.host.close();
    await this.printing.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Empty before the first entry. */
  get #trailText(): string {
    return existsSync(this.#trail) ? readFileSync(this.#trail, 'utf8') : '';
  }

  get #trail(): string {
    return join(this.#folder, 'data', 'audit.jsonl');
  }
}

function configurationFor(port: number, printingPort: number): string {
  return `data: ./data
directories: { CLI-DIR: ./pages, W2H-DIR: '${join(projectFolder, 'public')}' }
security: { database: ./data/security.yaml }
hosts:
  MENU: { address: '127.0.0.1:${port}' }
  SLOW: { simulated: true, start: MENU, faults: [slow-file] }
  PRT: { address: '127.0.0.1:${printingPort}' }
printers: { LABELS: { host: PRT, luName: LU1, groups: [DEV] } }
sessions: { keysReady: 0 }
scenarios: ./scenarios
services: ./services
pools:
  P: { host: MENU, users: [{ user: DEMO, password: demo }], ready: 1, most: 1, signOn: sign-on, home: MENU, returnHome: [PF3, PF3] }
lines:
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: E, limits: { sessionStartsPerAddress: 10000 } }
  A-HTTP: { listen: '127.0.0.1:0', entryPoint: E, limits: { sessionsPerAddress: 1 } }
  L-HTTP: { listen: '127.0.0.1:0', entryPoint: E, limits: { sessions: 1 } }
entryPoints:
  E:
    directory: CLI-DIR
    services: true
    serviceUsers: [DEV]
    transactions:
      ${transactions}
`;
}

async function addUsers(file: string): Promise<void> {
  const database = new FileUserStore({
    passwordCost: CHEAP_PASSWORDS,
    file,
    log: silentLog,
    lockAfter: 10,
    lockMinutes: 30,
  });
  await database.open();
  for (const { name, role, groups, password } of [ANNA, BERT, OPERA]) {
    await database.addUser({ name, role, groups, expires: undefined }, password);
  }
}

/** Of the printer of PRINT. */
export function document(text: string) {
  const codePage = findCodePage('cp037');
  if (codePage === undefined) throw new Error('no code page 37');
  return { stream: 'scs', records: [codePage.encode(text)] } as const;
}
