import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { RawConnection } from '../lines/listener/raw-connection.js';
import { openScreen } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';
import { main } from './macro-process.js';

type LogLine = Readonly<Record<string, unknown>>;

describe('sallyport serve with few file handles', () => {
  let folder: string;
  const children: ChildProcess[] = [];

  before(function () {
    skipUnless(this, process.platform === 'linux', 'only Linux tells how many handles there are');
    folder = mkdtempSync(join(tmpdir(), 'sallyport-handles-'));
    configure(150);
    copyFileSync(join(projectFolder, 'templates', 'pages', 'TERMINAL.HTML'), join(folder, 'T.HTML'));
    writeFileSync(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true }));

  function configure(connections: number): void {
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `directories: { CLI: . }\nlines:\n  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E, limits: { connections: ${connections}, sessions: 20 } }\n` +
        'hosts: { SIM: { simulated: true } }\n' +
        'entryPoints: { E: { directory: CLI, transactions: { T: { applicationType: 1, application: SIM, page: T.HTML } } } }\n',
    );
  }

  /** Serves with that many handles at most; soft and hard limit alike, so that Node cannot raise it. */
  async function serve(handles: number): Promise<{ port: number; said: () => LogLine[] }> {
    const command = `ulimit -n ${handles}; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', command, process.execPath, main, 'serve', '--log-form', 'json'], { cwd: folder });
    children.push(child);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const port = await eventually(() => /^A-HTTP +http:\/\/127\.0\.0\.1:(\d+)/m.exec(stdout)?.[1]);
    // the last part is no whole line yet
    const said = () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .filter((line) => /^\{.*file/.test(line));
    return { port: Number(port), said: () => said().map((line) => JSON.parse(line) as LogLine) };
  }

  it('says at the start that they are too few for its configuration, and nothing where they are enough', async () => {
    // 150 connections, 20 sessions with their hosts, 64 of its own
    const few = await serve(233);
    const [warning] = await eventually(() => (few.said().length > 0 ? few.said() : undefined));
    expect(warning).to.include({ level: 40, limit: 233, needed: 234 });
    expect(warning?.msg).to.match(
      /^the process can open 233 files and connections, .* needs up to 234: raise the limit .*ulimit -n/,
    );
    const enough = await serve(234);
    expect(enough.said()).to.deep.equal([]);
  });

  it('says when they are used up, once, and again when they are used up again', async () => {
    configure(400);
    // Node opens its modules side by side: with fewer it does not even start
    const { port, said } = await serve(250);
    const terminal = await openScreen(`http://127.0.0.1:${port}`, '/T.HTML+T');
    await terminal.connect();
    await terminal.shows('Sallyport simulated host');
    const usedUp = () => said().filter(({ level }) => level === 50);
    for (let times = 1; times <= 2; times++) {
      const connections: RawConnection[] = [];
      for (let count = 0; count < 270; count++) connections.push(await RawConnection.open(port));
      const lines = await eventually(() => (usedUp().length >= times ? usedUp() : undefined));
      expect(lines).to.have.length(times);
      // who was there before goes on
      const before = terminal.messages.length;
      terminal.key(times, 'ENTER');
      await eventually(() => (terminal.messages.length > before ? true : undefined));
      expect(terminal.closed).to.equal(undefined);
      expect(lines.at(-1)?.msg).to.match(/file handles left, .* closed without an answer: raise the limit/);
      for (const connection of connections) connection.close();
      await eventually(() => said().filter(({ level }) => level === 30).length === times || undefined);
      const again = await RawConnection.open(port);
      await again.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(await again.untilClosed()).to.include('It works');
    }
  });
});
