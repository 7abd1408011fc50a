import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { readStoreAddress } from '../../src/config/open-store.js';
import {
  formatDiagnostics,
  formatPlace,
  type SourceDiagnostic,
  SourceError,
} from '../../src/lib/documents/source-diagnostic.js';
import { fixture, projectFolder } from '../support/project.js';
import { rounds } from '../support/rounds.js';

const LARGEST_CONFIGURATION_BYTES = 1024 * 1024;
const MOST_DIAGNOSTICS = 100;

async function diagnose(file: string): Promise<{ diagnostics: readonly SourceDiagnostic[]; source: string }> {
  try {
    return await loadConfiguration(file);
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

const good =
  'directories: { CLI: . }\nlines: { C: { listen: :0, entryPoint: E } }\nentryPoints: { E: { directory: CLI } }\n';

describe('loadConfiguration', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-config-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function written(name: string, text: string | Uint8Array): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  }

  describe('says what is wrong, where, and what was expected (each line of expected.txt begins a diagnostic)', () => {
    const cases = readdirSync(fixture('config')).filter((name) => existsSync(fixture('config', name, 'expected.txt')));
    for (const name of cases) {
      it(name, async () => {
        const expected = (await readFile(fixture('config', name, 'expected.txt'), 'utf8')).split('\n').filter(Boolean);
        const { diagnostics } = await diagnose(fixture('config', name, 'config.yaml'));
        const found = diagnostics.map((diagnostic) => formatPlace({ ...diagnostic, file: name }));
        expect(found.length, found.join('\n')).to.equal(expected.length);
        for (const [index, line] of expected.entries()) {
          expect(found[index]?.slice(0, name.length + 1 + line.length)).to.equal(`${name}:${line}`);
        }
      });
    }
  });

  it('warns of state in the folder of a package, which npm takes away with the next version', async () => {
    const inPackage = join(folder, 'node_modules', 'sallyport');
    await mkdir(inPackage, { recursive: true });
    const state = 'security: { database: ../../users.yaml }\nmacros: macros\n';
    const { diagnostics } = await diagnose(await written(join('node_modules', 'sallyport', 's.yaml'), good + state));
    const told = diagnostics.filter(({ message }) => message.includes('is in node_modules'));
    expect(told.map(({ message, severity }) => `${severity} ${message}`)).to.deep.equal([
      'warning data: "./data" is in node_modules, which npm replaces when it installs another version; give a folder elsewhere',
      'warning macros: "macros" is in node_modules, which npm replaces when it installs another version; give a folder elsewhere',
    ]);
    const elsewhere = await diagnose(await written('s.yaml', good + state));
    expect(elsewhere.diagnostics.filter(({ message }) => message.includes('node_modules'))).to.deep.equal([]);
  });

  it('never shows a password of a host user with a diagnostic', async () => {
    const { diagnostics, source } = await diagnose(fixture('config', 'password-not-shown', 'config.yaml'));
    const text = formatDiagnostics(diagnostics, source);
    expect(text).to.contain('DEMO: ******').and.not.contain('s3cret');
  });

  it('never shows a password that stands where none belongs', async () => {
    for (const [place, text] of [
      ['top', `${good}password: hunter2\n`],
      ['host', `${good}hosts: { H: { address: 'a:1', password: hunter2 } }\n`],
      ['URL', `${good}store: { postgresql: 'postgres://sallyport:hunter2@db.example/x' }\n`],
      ['list', `${good}signOnPasswords:\n  - hunter2\n`],
    ] as const) {
      const { diagnostics, source } = await diagnose(await written(`stray-${place}.yaml`, text));
      const shown = formatDiagnostics(diagnostics, source);
      expect(shown, place)
        .to.match(/assword/)
        .and.not.contain('hunter2');
    }
  });

  it('says how a Unix socket is written where an address of the database is none', async () => {
    // as libpq takes it
    const store = "store: { postgresql: 'postgres://sallyport@/sallyport?host=/run/postgresql' }\n";
    const { diagnostics } = await diagnose(await written('socket.yaml', good + store));
    expect(diagnostics.map(({ message }) => message)).to.include(
      'store.postgresql: expected postgres://USER@HOST[:PORT][,HOST[:PORT]…]/DATABASE, for a Unix socket followed by ?host=FOLDER',
    );
  });

  it('takes eight hosts of a database, in their order, and says what is wrong with others', () => {
    const hosts = (count: number) =>
      Array.from({ length: count }, (_, at) => `db${at + 1}.example:${5432 + at}`).join();
    const read = (authority: string, rest = 'sallyport') => {
      const outcome = readStoreAddress(`postgres://u@${authority}/${rest}`);
      return outcome.kind === 'fault' ? outcome.fault : outcome.value.hosts.map(({ host, port }) => `${host} ${port}`);
    };
    expect(read('db1.example,[2001:db8::1]:5433')).to.deep.equal(['db1.example 5432', '2001:db8::1 5433']);
    expect(read(hosts(8))).to.have.length(8);
    expect(read(hosts(9))).to.equal('expected at most 8 hosts');
    expect(read('a,A:5432')).to.equal('expected each host and port only once');
    expect(read('a,b', 'd?host=/run/postgresql')).to.equal('expected one host with the folder of a Unix socket');
    for (const wrong of ['a,,b', 'a,', ',a', 'a:x,b', 'a,b:65536'])
      expect(read(wrong), wrong).to.include('HOST[:PORT]…');
    expect(read('a,u:hunter2@b')).to.equal('expected no password: it belongs in store.password');
  });

  it('warns of tuples with fewer than 112 bits of strength, and not of 112', async () => {
    // NIST SP 800-57 part 1: RSA-2048 and three-key triple DES have 112, RSA-1024 and two-key triple DES 80
    for (const [members, isWarned] of [
      ['3TDEA,RSA-2048', false],
      ['AES-128,RSA-2048', false],
      ['3TDEA,RSA-1024', true],
      ['2TDEA,RSA-2048', true],
    ] as const) {
      const { diagnostics } = await diagnose(
        await written('strength.yaml', `${good}tct: { CRYPT1: '(C,${members},NODE,HEX)' }\n`),
      );
      const told = diagnostics.filter(({ message }) => message.includes('bits of strength'));
      expect(told.length > 0, members).to.equal(isWarned);
    }
  });

  it('reports a file that is not there, a folder, and bytes that are not UTF-8 in the same form', async () => {
    const missing = await diagnose(join(folder, 'missing.yaml'));
    expect(missing.diagnostics).to.deep.equal([
      {
        file: join(folder, 'missing.yaml'),
        line: 1,
        column: 1,
        message: 'the configuration cannot be read: no such file',
        severity: 'error',
      },
    ]);
    const [aFolder] = (await diagnose(folder)).diagnostics;
    expect(aFolder?.message).to.equal('the configuration cannot be read: it is a folder');
    const latin1 = await written('latin1.yaml', Buffer.from('data: x\ntct: { DEFUTF8: \xe9 }\n', 'latin1'));
    const [notUtf8] = (await diagnose(latin1)).diagnostics;
    expect(notUtf8).to.include({ line: 2, column: 17, message: 'expected UTF-8, found other bytes' });
  });

  it('takes a file of exactly 1 MiB and refuses one byte more', async () => {
    const filled = (bytes: number) => `${good}#${'x'.repeat(bytes - good.length - 1)}`;
    const atBound = await diagnose(await written('bound.yaml', filled(LARGEST_CONFIGURATION_BYTES)));
    expect(atBound.diagnostics).to.deep.equal([]);
    const past = await diagnose(await written('past.yaml', filled(LARGEST_CONFIGURATION_BYTES + 1)));
    expect(past.diagnostics.map(({ message }) => message)).to.deep.equal([
      'expected at most 1048576 bytes, found a larger file',
    ]);
  });

  it('survives nesting that no recursion would', async () => {
    const flow = await diagnose(await written('flow.yaml', `data: ${'['.repeat(200_000)}`));
    expect(flow.diagnostics[0]?.message).to.equal('YAML: nested too deeply: expected at most 32 levels');
    const blocks = Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    const block = await diagnose(await written('block.yaml', blocks));
    expect(block.diagnostics[0]?.message).to.equal('YAML: nested too deeply: expected at most 32 levels');
  });

  it('shows a bounded number of faults and says how many more there are', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `k${index}: 1\n`).join('');
    const { diagnostics } = await diagnose(await written('many.yaml', many + good));
    expect(diagnostics.length).to.equal(MOST_DIAGNOSTICS + 1);
    expect(diagnostics.at(-1)?.message).to.equal(`and ${50_000 - MOST_DIAGNOSTICS} more`);
  });

  it('fails in no other way, whatever the text', async () => {
    const pieces = fc.constantFrom(
      'lines:',
      ' ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      'a',
      ': ',
      '- ',
      '&a ',
      '*a',
      '!!map ',
      "'",
      '"',
      '|',
      '? ',
      '\t',
      '# ',
      '\0',
      '---',
      'outbound: true',
      'entryPoints:',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 60 }), async (parts) => {
        const { diagnostics } = await diagnose(await written('random.yaml', parts.join('')));
        for (const { line, column } of diagnostics) {
          expect(line).to.be.at.least(1);
          expect(column).to.be.at.least(1);
        }
      }),
      { numRuns: rounds(300, 100) },
    );
  });

  it('has passwords of pools from the environment, from the first line of a file, and as text, which it warns of', async () => {
    await written('password', 'from file\r\nno more of it');
    process.env.SALLYPORT_TEST_POOL_PASSWORD = 'from environment';
    const users = [
      '{ user: A, password: { env: SALLYPORT_TEST_POOL_PASSWORD } }',
      '{ user: B, password: { file: ./password } }',
      '{ user: C, password: hunter2 }',
    ];
    const pool = (host: string) =>
      `ACCOUNTS: { host: ${host}, most: 3, users: [${users}], signOn: sign-on, home: MENU, returnHome: [pf03] }`;
    const text = (host: string) =>
      `${good}hosts: { PROD: { address: 'a:1' }, SIM: { simulated: true } }
services: ${join(projectFolder, 'templates', 'services')}
pools: { ${pool(host)} }
`;
    const { diagnostics, source } = await diagnose(await written('pools.yaml', text('PROD')));
    expect(diagnostics.map(({ message }) => message)).to.deep.equal([
      'pools.ACCOUNTS.users.2.password: a password must not be in this file: expected { env: NAME } or { file: PATH }',
    ]);
    expect(formatDiagnostics(diagnostics, source)).to.not.include('hunter2');
    const { configuration, diagnostics: ofSimulated } = await loadConfiguration(
      await written('pools-simulated.yaml', text('SIM')),
    );
    expect(ofSimulated).to.deep.equal([]);
    const [{ users: read, ...definition } = { users: [] }] = configuration.pools;
    expect(read.map(({ password }) => Buffer.from(password).toString())).to.deep.equal([
      'from environment',
      'from file',
      'hunter2',
    ]);
    expect(definition).to.deep.equal({
      name: 'ACCOUNTS',
      host: 'SIM',
      ready: 2,
      most: 3,
      sessionsPerUser: 1,
      signOn: 'sign-on',
      signOff: undefined,
      home: 'MENU',
      returnHome: ['PF3'],
      checkoutMilliseconds: 30_000,
      waitMilliseconds: 5_000,
      idleMilliseconds: 600_000,
      keepAliveMilliseconds: 120_000,
    });
    delete process.env.SALLYPORT_TEST_POOL_PASSWORD;
  });

  it('fills in every default', async () => {
    const { configuration } = await loadConfiguration(fixture('config', 'good', 'config.yaml'));
    if (configuration === undefined) throw new Error('it has errors');
    const folderOf = (...names: string[]) => fixture('config', ...names);
    // as it is written and when it was read is for administrators
    const { read: _, ...settings } = configuration;
    expect(settings).to.deep.equal({
      file: folderOf('good', 'config.yaml'),
      data: folderOf('good', 'data'),
      tct: { crypts: [], defaultCodePage: 'IBM1147' },
      directories: new Map([['CLI', folderOf('pages')]]),
      scenarios: undefined,
      servicesFolder: undefined,
      services: {
        screens: new Map(),
        services: new Map(),
        serviceFiles: new Map(),
        screenPlaces: new Map(),
        diagnostics: [],
      },
      pools: [],
      printers: new Map(),
      macros: undefined,
      macrosAutoRefresh: 'session',
      internalLine: undefined,
      workerFolder: undefined,
      macroPublishers: undefined,
      hosts: new Map(),
      inboundLines: [
        {
          name: 'C-HTTP',
          externalName: 'C-HTTP',
          host: '127.0.0.1',
          port: 41002,
          entryPoint: 'CLIWHOST',
          portal: undefined,
          tls: undefined,
          trustedProxies: [],
          answers: { server: true, headers: {} },
          hostNames: undefined,
          limits: {
            connections: 1000,
            sessions: 800,
            sessionsPerAddress: 200,
            sessionStartsPerAddress: 120,
            sessionIdleSeconds: 300,
            connectionsPerAddress: 250,
            urlBytes: 8192,
            headerBytes: 16384,
            bodyBytes: 1048576,
            headerSeconds: 10,
            requestSeconds: 30,
            idleSeconds: 5,
          },
        },
      ],
      outboundLines: [
        {
          name: 'O-HTTP',
          externalName: 'O-HTTP',
          site: undefined,
          tls: undefined,
          limits: {
            connections: 128,
            queuedRequests: 1024,
            connectSeconds: 5,
            replyBytes: 1048576,
            replyHeaderBytes: 16384,
          },
        },
      ],
      entryPoints: [
        {
          name: 'CLIWHOST',
          description: '',
          directory: 'CLI',
          timeoutMinutes: 720,
          awayMinutes: 5,
          services: undefined,
          serviceUsers: undefined,
          terminalSettings: undefined,
          embedders: [],
          transactions: [],
        },
      ],
      management: undefined,
      node: undefined,
      nodePatience: { silenceMilliseconds: 30_000, answerMilliseconds: 7_200_000 },
      processes: 1,
      drainMinutes: 10,
      workerStartSeconds: 60,
      workerSilenceSeconds: 30,
      demo: { currencyService: undefined },
      sessions: { limit: 10000, keysReady: 256, keysWaiting: 1000 },
      scenarioLimits: { steps: 1000000, seconds: 60, variableBytes: 16777216, values: 100000, variables: 10000 },
      log: { level: 'info', form: 'auto' },
      audit: { rotateMebibytes: 16, keepDays: 0 },
      security: {
        database: folderOf('good', 'data', 'security.yaml'),
        realm: 'Sallyport',
        lockAfter: 10,
        lockMinutes: 30,
        signOnsPerUser: 50,
      },
    });
  });

  it("accepts every key of the contract's shape", async () => {
    const contract = join(folder, 'contract');
    for (const name of ['templates/pages', 'templates/requests', 'templates/scenarios']) {
      await mkdir(join(contract, name), { recursive: true });
    }
    await writeFile(join(contract, 'templates/scenarios/SCENRATE.scn'), '');
    const file = join(contract, 'sallyport.yaml');
    await writeFile(file, await readFile(fixture('config', 'contract', 'sallyport.yaml')));
    const { configuration, diagnostics } = await loadConfiguration(file);
    expect(diagnostics.every(({ severity }) => severity === 'warning')).to.equal(true);
    expect(configuration.tct.crypts.map(({ members }) => members)).to.deep.equal([
      ['CRYPT3270', '3TDEA', 'RSA-1024', 'NODE', 'HEX', 'CBC', 'PKCS7'],
    ]);
    expect(configuration.demo.currencyService).to.deep.equal({ host: '127.0.0.1', port: 41080 });
    expect(configuration.inboundLines.map(({ name, port, portal }) => [name, port, portal])).to.deep.equal([
      ['W-HTTP', 41001, 'administration'],
      ['C-HTTP', 41002, undefined],
    ]);
    const [, clients] = configuration.entryPoints;
    expect(clients?.transactions[0]).to.include({
      name: 'WS3',
      externalName: 'WS3',
      applicationType: 2,
      application: undefined,
      security: 0,
      tioaAtLogon: '&/S',
      initialScenario: 'SCENRATE',
    });
    expect(clients?.transactions[1]).to.include({
      name: 'TSO',
      applicationType: 1,
      application: 'SIM',
      crypt: 'CRYPT3270',
    });
  });

  it('finds nothing wrong with the shipped configuration but the RSA-1024 that older clients know', async () => {
    const { diagnostics } = await diagnose(join(projectFolder, 'sallyport.yaml'));
    expect(diagnostics.map(formatPlace)).to.have.length(1);
    expect(diagnostics[0])
      .to.have.property('message')
      .that.matches(/^tct\.CRYPT1: .* 80 bits .*RSA-OAEP-2048/);
  });
});
