import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import type { Context } from 'mocha';
import { type LdapDefinition, ldapDefaults } from '../../../src/access/ldap/ldap-server.js';
import { makeCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { freePorts } from '../../support/free-port.js';
import { need } from '../../support/need.js';

const SCHEMA_FOLDER = '/etc/ldap/schema';
const MODULE_FOLDER = '/usr/lib/ldap';
const SUFFIX = 'dc=example,dc=org';
const READER = `cn=reader,${SUFFIX}`;
const STARTS = 5;

/** None of these may be found in a log or an error. */
export const passwords = {
  reader: 'canary-of-the-reader-7Qx',
  root: 'canary-of-the-root-1Zk',
  alice: 'canary-of-Alice-3Fv',
  bob: 'canary-of-bob-8Hd',
  night: 'canary-of-night-ünïcode-5Ws',
  dave: 'canary-of-dave-2Mp',
  twin: 'canary-of-the-twins-6Rt',
  guest: 'canary-of-the-guest-4Lb',
  wrong: 'canary-of-a-wrong-password-9Cn',
} as const;

function person(rdn: string, unit: string, uid: string, password: string | undefined, ...further: string[]): string[] {
  const common = ['objectClass: inetOrgPerson', `uid: ${uid}`, 'sn: Person', ...further];
  const cn = rdn.startsWith('cn=') ? [] : [`cn: ${uid}`];
  const hash = password === undefined ? [] : [`userPassword: ${saltedHash(password)}`];
  return [`dn: ${rdn},ou=${unit},${SUFFIX}`, ...common, ...cn, ...hash, ''];
}

function group(cn: string, ...members: string[]): string[] {
  const entry = [`dn: cn=${cn},ou=groups,${SUFFIX}`, 'objectClass: groupOfNames', `cn: ${cn}`];
  return [...entry, ...members.map((member) => `member: ${member},ou=people,${SUFFIX}`), ''];
}

function posixGroup(unit: string, cn: string, number: number, ...members: string[]): string[] {
  const entry = [`dn: cn=${cn},ou=${unit},${SUFFIX}`, 'objectClass: posixGroup', `cn: ${cn}`, `gidNumber: ${number}`];
  return [...entry, ...members.map((member) => `memberUid: ${member}`), ''];
}

function saltedHash(password: string): string {
  const salt = randomBytes(8);
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}

const units = ['people', 'groups', 'open', 'crowd', 'a', 'b'];
const entries = [
  [`dn: ${SUFFIX}`, 'objectClass: dcObject', 'objectClass: organization', 'o: Example', ''],
  ...units.map((unit) => [`dn: ou=${unit},${SUFFIX}`, 'objectClass: organizationalUnit', '']),
  [
    `dn: ${READER}`,
    'objectClass: organizationalRole',
    'objectClass: simpleSecurityObject',
    `userPassword: ${saltedHash(passwords.reader)}`,
    '',
  ],
  [
    `dn: cn=policy,${SUFFIX}`,
    'objectClass: organizationalRole',
    'objectClass: pwdPolicy',
    'pwdAttribute: userPassword',
    'pwdLockout: TRUE',
    '',
  ],
  person('uid=Alice', 'people', 'Alice', passwords.alice, 'departmentNumber: WRITERS', 'mail: alice@example.org'),
  person('uid=bob', 'people', 'bob', passwords.bob, `departmentNumber: cn=operators,ou=groups,${SUFFIX}`),
  person('cn=Ops (night)', 'people', 'night', passwords.night, 'departmentNumber: admins'),
  person('uid=dave', 'people', 'dave', passwords.dave, 'pwdAccountLockedTime: 000001010000Z'),
  person('uid=erin', 'people', 'erin', undefined),
  person('uid=fred smith', 'people', 'fred smith', passwords.wrong),
  person('uid=twin', 'a', 'twin', passwords.twin),
  person('uid=twin', 'b', 'TWIN', passwords.twin),
  person('uid=guest', 'open', 'guest', passwords.guest),
  group('admins', 'uid=Alice'),
  group('operators', 'uid=Alice', 'uid=bob'),
  group('Nightshift', 'cn=Ops (night)'),
  group('Night Owls', 'uid=bob'),
  posixGroup('groups', 'writers', 100, 'Alice', 'bob'),
];

export interface SlapdOptions {
  /** Groups `crowd0`, `crowd1` … in ou=crowd. */
  readonly crowd?: number;
}

/** Skips the running test where there is no slapd. */
export function needSlapd(test: Context): void {
  const present =
    slapdPath() !== undefined &&
    existsSync('/usr/bin/ldapmodify') &&
    existsSync(SCHEMA_FOLDER) &&
    existsSync(MODULE_FOLDER);
  need(test, present, 'slapd, as Debian packs it, is not installed');
}

/** A real OpenLDAP server, which grants binds without a password to anybody. */
export class Slapd {
  readonly certificate = makeCertificate();
  readonly #folder = mkdtempSync('/tmp/sallyport-slapd-');
  readonly #leave = () => {
    this.#process?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };
  #process: ChildProcess | undefined;
  #ports: readonly number[] = [];
  /** What slapd says of each connection and request. */
  log = '';

  static async start(options: SlapdOptions = {}): Promise<Slapd> {
    const slapd = new Slapd();
    process.once('exit', slapd.#leave);
    slapd.#install(options);
    await slapd.start();
    return slapd;
  }

  /** Begins again after `kill`, at the same ports and with the same entries. */
  async start(): Promise<void> {
    for (let start = 1; ; start += 1) {
      const ports = this.#ports.length > 0 ? this.#ports : await freePorts(2);
      if (await this.#isStarted(ports)) {
        this.#ports = ports;
        // it listens a moment after it says that it starts
        for (const port of ports) await eventually(() => isListening(port));
        return this.quiet();
      }
      if (start === STARTS) throw new Error(`slapd does not start:\n${this.log}`);
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    this.#leave();
    process.off('exit', this.#leave);
  }

  async kill(): Promise<void> {
    const slapd = this.#process;
    this.#process = undefined;
    if (!slapd || slapd.exitCode !== null || slapd.signalCode !== null) return;
    const ended = new Promise((resolve) => slapd.once('close', resolve));
    slapd.kill('SIGKILL');
    await ended;
  }

  /** Its connections are still taken, by the system; nothing is answered. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** As somebody who administers the directory. */
  async modify(...lines: string[]): Promise<void> {
    const words = ['-x', '-H', this.url('ldap'), '-D', `cn=root,${SUFFIX}`, '-w', passwords.root];
    // not while this process waits: slapd waits for it to read the log
    const ldapmodify = spawn('ldapmodify', words, { stdio: ['pipe', 'ignore', 'pipe'] });
    let faults = '';
    ldapmodify.stderr.setEncoding('utf8').on('data', (text: string) => {
      faults += text;
    });
    ldapmodify.stdin.end(lines.join('\n'));
    const [status] = await once(ldapmodify, 'close');
    if (status !== 0) throw new Error(faults);
  }

  url(scheme: 'ldap' | 'ldaps', host = 'localhost'): string {
    return `${scheme}://${host}:${this.#ports[scheme === 'ldap' ? 0 : 1]}`;
  }

  definition(changes: Partial<LdapDefinition> = {}): LdapDefinition {
    return {
      ...ldapDefaults,
      url: this.url('ldap'),
      startTls: false,
      ca: readFileSync(this.certificate.cert, 'utf8'),
      verify: true,
      bindDn: READER,
      bindPassword: passwords.reader,
      userBase: `ou=people,${SUFFIX}`,
      groupBase: `ou=groups,${SUFFIX}`,
      defaultGroupAttribute: 'departmentNumber',
      administratorGroup: 'Admins',
      operatorGroup: 'Operators',
      connectMilliseconds: 5000,
      timeoutMilliseconds: 5000,
      mostConnections: 4,
      ...changes,
    };
  }

  /** Lines of the log with these words, since `from`. */
  lines(words: string, from = 0): string[] {
    return this.log
      .slice(from)
      .split('\n')
      .filter((line) => line.includes(words));
  }

  /** Waits until the last connection is closed: nobody may leave one behind. */
  async quiet(): Promise<void> {
    await this.#logHasAllUntilNow();
    await eventually(() => this.lines(' ACCEPT ').length === this.lines(' closed').length || undefined);
  }

  /** Connections are noted in the order they come: one of our own is noted after all before it, and then taken out of the log. */
  async #logHasAllUntilNow(): Promise<void> {
    const socket = connect(this.#ports[0] ?? 0, '127.0.0.1');
    await once(socket, 'connect');
    const accepted = new RegExp(`conn=(\\d+) fd=\\d+ ACCEPT from IP=127\\.0\\.0\\.1:${socket.localPort} `);
    const own = await eventually(() => accepted.exec(this.log)?.[1]);
    socket.destroy();
    await eventually(() => new RegExp(`conn=${own} fd=\\d+ closed.*\\n`).test(this.log) || undefined);
    this.log = this.log.replace(new RegExp(`^.*conn=${own} .*\\n`, 'gm'), '');
  }

  #install({ crowd = 0 }: SlapdOptions): void {
    const path = slapdPath();
    if (path === undefined) throw new Error('slapd is not installed');
    // Ubuntu confines the slapd of its own path to its own folders
    copyFileSync(path, join(this.#folder, 'slapd'));
    mkdirSync(join(this.#folder, 'data'));
    writeFileSync(join(this.#folder, 'slapd.conf'), this.#configuration());
    const crowds = Array.from({ length: crowd }, (_, n) => posixGroup('crowd', `crowd${n}`, 1000 + n, 'Alice'));
    writeFileSync(join(this.#folder, 'entries.ldif'), [...entries, ...crowds].flat().join('\n'));
    const words = ['-T', 'add', '-q', '-f', 'slapd.conf', '-l', 'entries.ldif'];
    const { status, stderr } = spawnSync('./slapd', words, { cwd: this.#folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`slapadd: ${stderr}`);
  }

  #configuration(): string {
    return [
      ...['core', 'cosine', 'nis', 'inetorgperson'].map((name) => `include ${SCHEMA_FOLDER}/${name}.schema`),
      `modulepath ${MODULE_FOLDER}`,
      'moduleload back_mdb',
      'moduleload ppolicy',
      `TLSCertificateFile ${this.certificate.cert}`,
      `TLSCertificateKeyFile ${this.certificate.key}`,
      // the unsafe setting: whoever sends no password is let in
      'allow bind_anon_cred bind_anon_dn',
      'threads 4',
      'database mdb',
      'maxsize 104857600',
      `suffix ${SUFFIX}`,
      `rootdn cn=root,${SUFFIX}`,
      `rootpw ${passwords.root}`,
      `directory ${join(this.#folder, 'data')}`,
      'dbnosync',
      'index objectClass,uid,cn,member,memberUid eq',
      'overlay ppolicy',
      `ppolicy_default cn=policy,${SUFFIX}`,
      `limits dn.exact="${READER}" size=unlimited`,
      'access to attrs=userPassword by anonymous auth by * none',
      `access to dn.subtree="ou=open,${SUFFIX}" by * read`,
      `access to * by dn.exact="${READER}" read by anonymous auth by * none`,
      '',
    ].join('\n');
  }

  #isStarted([plain, secure]: readonly number[]): Promise<boolean> {
    const urls = [
      `ldap://127.0.0.1:${plain}`,
      ...['127.0.0.1', '127.0.0.2'].map((host) => `ldaps://${host}:${secure}`),
    ];
    const words = ['-d', 'stats', '-h', urls.join(' '), '-f', 'slapd.conf'];
    const slapd = spawn('./slapd', words, { cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = slapd;
    this.log = '';
    return new Promise((resolve) => {
      slapd.once('close', () => resolve(false));
      slapd.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.log += text;
        if (this.log.includes('slapd starting')) resolve(true);
      });
    });
  }
}

/** Debian keeps it where the PATH of an ordinary user does not lead. */
function slapdPath(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'slapd')).find((path) => existsSync(path));
}

function isListening(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(undefined));
  });
}
