import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationFolder } from '../../src/config/installation.js';
import { freePorts } from '../../test/support/free-port.js';
import { commandScript } from '../../test/support/project.js';
import { PinnedProcess } from '../scenario/pinned-process.js';
import { processorSeconds } from '../scenario/process-usage.js';
import type { Task } from './client-tasks.js';

const START_MILLISECONDS = 20_000;
const QUIET_MILLISECONDS = 60_000;
/** Ports of the shipped configuration and of the tests. */
const OTHERS = { from: 41_000, to: 42_999 };
const MOST_SESSIONS = 20_000;

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const preload = join(installationFolder, 'bench', 'sessions', 'programs', 'memory-answers.mjs');

export interface SiteOptions {
  readonly keysReady: number;
  readonly start: 'SIGNON' | 'LOGON' | 'MENU' | 'STAMPED';
  readonly gcm?: boolean;
  readonly profile?: boolean;
  /** Enables the management port, which `keysReady` uses. */
  readonly managed?: boolean;
}

export class SessionBed {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  readonly #processes: PinnedProcess[] = [];
  server!: PinnedProcess;
  host!: PinnedProcess;
  url = '';
  hostPort = 0;
  #managementPort = 0;

  static async open(options: SiteOptions): Promise<SessionBed> {
    const bed = new SessionBed();
    try {
      await bed.#start(options);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  client(): BenchClient {
    const process = this.#spawn('client', [beside('programs/client-program.js')]);
    return new BenchClient(process);
  }

  async quiet(): Promise<void> {
    const end = Date.now() + QUIET_MILLISECONDS;
    for (let still = 0; still < 3 && Date.now() < end; ) {
      const before = processorSeconds(this.server.pid);
      await wait(300);
      still = processorSeconds(this.server.pid) - before <= 0.02 ? still + 1 : 0;
    }
  }

  async keysReady(pairs: number): Promise<void> {
    const end = Date.now() + QUIET_MILLISECONDS;
    for (;;) {
      const metrics = await (await fetch(`http://127.0.0.1:${this.#managementPort}/metrics`)).text();
      const ready = Number(/^\S*key_pool_ready (\d+)$/m.exec(metrics)?.[1]);
      if (ready >= pairs) return;
      if (!(Date.now() < end)) throw new Error(`${ready} key pairs are ready instead of ${pairs}`);
      await wait(100);
    }
  }

  async memory(): Promise<NodeJS.MemoryUsage> {
    return this.server.ask<NodeJS.MemoryUsage>('memory');
  }

  /** Longest pause of the server's event loop since the last call. */
  async longestStop(): Promise<number> {
    const { milliseconds } = await this.server.ask<{ milliseconds: number }>('stops');
    return milliseconds;
  }

  async close(): Promise<void> {
    for (const process of this.#processes.reverse()) await process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(name: string, args: readonly string[]): PinnedProcess {
    const output = join(this.#folder, `${name}.log`);
    const process = new PinnedProcess({ args, core: undefined, output });
    this.#processes.push(process);
    return process;
  }

  async #start({ keysReady, start, gcm = false, profile = false, managed = false }: SiteOptions): Promise<void> {
    const [port = 0, hostPort = 0, managementPort = 0] = await portsOfNobody(3);
    this.#managementPort = managementPort;
    this.hostPort = hostPort;
    this.host = this.#spawn('host', [beside('programs/host-program.js'), start, String(hostPort)]);
    await this.#answers(this.host, () => this.host.ask('sessions'));
    const configuration = join(this.#folder, 'sallyport.yaml');
    mkdirSync(join(this.#folder, 'data'));
    writeFileSync(
      configuration,
      configurationOf({ port, hostPort, managementPort: managed ? managementPort : undefined }, keysReady, gcm),
    );
    this.url = `http://127.0.0.1:${port}`;
    this.server = this.#spawn('server', [
      ...(profile ? ['--cpu-prof', '--cpu-prof-dir', '/tmp'] : []),
      ...['--import', preload, commandScript, 'serve', '--config', configuration],
    ]);
    await this.#answers(this.server, async () => {
      const response = await fetch(`${this.url}/w2h/favicon.svg`);
      if (!response.ok) throw new Error(String(response.status));
      await response.arrayBuffer();
    });
  }

  async #answers(process: PinnedProcess, ask: () => Promise<unknown>): Promise<void> {
    const end = Date.now() + START_MILLISECONDS;
    for (;;) {
      try {
        await ask();
        return;
      } catch (error) {
        if (process.isRunning && Date.now() < end) await wait(50);
        else throw new Error(`${error}; it said:\n${readFileSync(process.output, 'utf8').slice(-2_000)}`);
      }
    }
  }
}

/** A client process; it runs one task at a time. */
export class BenchClient {
  constructor(readonly process: PinnedProcess) {}

  async do<Result>(task: Task): Promise<Result> {
    const answer = await this.process.ask<{ result?: Result; failure?: string }>(task);
    if (answer.failure !== undefined) throw new Error(answer.failure);
    return answer.result as Result;
  }
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function portsOfNobody(count: number): Promise<readonly number[]> {
  for (;;) {
    const ports = await freePorts(count);
    if (ports.every((port) => port < OTHERS.from || port > OTHERS.to)) return ports;
  }
}

function configurationOf(
  { port, hostPort, managementPort }: { port: number; hostPort: number; managementPort: number | undefined },
  keysReady: number,
  gcm: boolean,
): string {
  const crypts = ['CRYPT1: (CRYPT3270,3TDEA,RSA-1024,NODE,HEX)'];
  if (gcm) crypts.push('CRYPT2: (CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE)');
  return `data: ./data
${managementPort === undefined ? '' : `management: { listen: 127.0.0.1:${managementPort} }`}
tct:
  ${crypts.join('\n  ')}
directories:
  CLI-DIR: ${join(installationFolder, 'templates', 'pages')}
  W2H-DIR: ${join(installationFolder, 'public')}
log: { level: info, form: json }
hosts:
  HOST: { address: '127.0.0.1:${hostPort}', deviceType: IBM-3279-2-E }
sessions: { limit: ${MOST_SESSIONS}, keysReady: ${keysReady}, keysWaiting: 10000 }
lines:
  C-HTTP:
    listen: 127.0.0.1:${port}
    entryPoint: CLI
    limits:
      connections: ${MOST_SESSIONS}
      connectionsPerAddress: ${MOST_SESSIONS}
      sessions: ${MOST_SESSIONS}
      sessionsPerAddress: ${MOST_SESSIONS}
      sessionStartsPerAddress: ${MOST_SESSIONS}
entryPoints:
  CLI:
    directory: CLI-DIR
    transactions:
      SIGNON: { applicationType: 1, application: HOST, crypt: CRYPT3270 }
      TSO: { applicationType: 1, application: HOST, crypt: CRYPT3270 }
      ${gcm ? 'GCM: { applicationType: 1, application: HOST, crypt: CRYPTGCM }' : ''}
      w2h: { applicationType: 4, application: W2H-DIR }
`;
}
