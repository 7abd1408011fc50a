import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installationFolder } from '../../src/config/installation.js';
import { makeCertificate } from '../../test/support/certificate.js';
import { freePorts } from '../../test/support/free-port.js';
import { PinnedProcess } from '../scenario/pinned-process.js';
import type { FloodedServer } from './flood-task.js';

const START_MILLISECONDS = 30_000;
const SHIPPED_SITE = '127.0.0.1:41080';

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export class FloodedBed implements FloodedServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-floods-'));
  readonly #processes: PinnedProcess[] = [];
  #server: PinnedProcess | undefined;
  port = 0;
  tlsPort = 0;

  static async open(installation: string, processes: number): Promise<FloodedBed> {
    const bed = new FloodedBed();
    try {
      await bed.#start(installation, processes);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  get isRunning(): boolean {
    return this.#server?.isRunning === true;
  }

  /** Resident memory of the server in MiB. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.#server?.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1_024;
  }

  client(program: 'attacker' | 'honest'): PinnedProcess {
    return this.#spawn(program, [beside(`programs/${program}-program.js`)]);
  }

  async close(): Promise<void> {
    for (const process of this.#processes.reverse()) await process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(name: string, args: readonly string[]): PinnedProcess {
    const process = new PinnedProcess({ args, core: undefined, output: join(this.#folder, `${name}.log`) });
    this.#processes.push(process);
    return process;
  }

  async #start(installation: string, processes: number): Promise<void> {
    const [port = 0, tlsPort = 0, demoPort = 0] = await freePorts(3);
    Object.assign(this, { port, tlsPort });
    this.#spawn('demo', [
      join(installationFolder, 'dist', 'bench', 'scenario', 'programs', 'demo-service.js'),
      `${demoPort}`,
    ]);
    const templates = join(this.#folder, 'templates');
    cpSync(join(installationFolder, 'templates'), templates, { recursive: true });
    const scenario = join(templates, 'scenarios', 'SCENRATE.scn');
    writeFileSync(scenario, readFileSync(scenario, 'utf8').replace(SHIPPED_SITE, `127.0.0.1:${demoPort}`));
    mkdirSync(join(this.#folder, 'data'), { mode: 0o700 });
    const configuration = join(this.#folder, 'sallyport.yaml');
    writeFileSync(configuration, configurationOf({ port, tlsPort, processes }));
    const program = join(installation, 'scripts', 'program.cjs');
    this.#server = this.#spawn('server', [program, 'serve', '--config', configuration]);
    await this.#answers(`http://127.0.0.1:${port}/CLIWHOST.HTML`);
    await this.#answers(`http://127.0.0.1:${port}/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD`);
  }

  async #answers(url: string): Promise<void> {
    const end = Date.now() + START_MILLISECONDS;
    for (;;) {
      const response = await fetch(url).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok === true) return;
      if (Date.now() > end || !this.isRunning) {
        throw new Error(
          `${url} is not served:\n${readFileSync(join(this.#folder, 'server.log'), 'utf8').slice(-2_000)}`,
        );
      }
      await pause(50);
    }
  }
}

function configurationOf({ port, tlsPort, processes }: FloodedServer & { readonly processes: number }): string {
  const { cert, key } = makeCertificate('rsa');
  return `data: ./data
${processes === 1 ? '' : `processes: ${processes}`}
tct: { DEFUTF8: IBM1147 }
directories:
  CLI-DIR: ./templates/pages
  REQ-DIR: ./templates/requests
  W2H-DIR: ${join(installationFolder, 'public')}
scenarios: ./templates/scenarios
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
log: { level: info, form: json }
lines:
  C-HTTP: { listen: '127.0.0.1:${port}', entryPoint: CLIWHOST }
  S-HTTP: { listen: '127.0.0.1:${tlsPort}', entryPoint: CLIWHOST, tls: { cert: ${cert}, key: ${key} } }
  O-HTTP: { outbound: true, site: $SITE$ }
entryPoints:
  CLIWHOST:
    directory: CLI-DIR
    transactions:
      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }
      WS3: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: SCENRATE }
      WS4: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: SCENPAGE }
      w2h: { applicationType: 4, application: W2H-DIR }
`;
}
