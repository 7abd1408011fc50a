import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { runHead } from '../run-head.js';
import { say, table, target } from '../sessions/report.js';

interface Options {
  readonly sessions: number;
  readonly requests: number;
  readonly reloads: number;
}

interface OpenSession {
  readonly url: string;
  readonly cookie: string;
}

const JSON_WANTED = { Accept: 'application/json' };
const LOOK_MILLISECONDS = 5;

/** Reloads the configuration repeatedly while sessions are in use. @returns the exit code: 1 if a session was lost */
export async function benchmarkReload(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  say(`${runHead('bench:reload', args)}\n`);
  const server = await ReloadedServer.start();
  try {
    return await measure(server, options);
  } finally {
    server.stop();
  }
}

function optionsOf(args: readonly string[]): Options {
  return new Command('bench:reload')
    .description('Reloads the configuration of a server while its sessions are in use.')
    .option('--sessions <number>', 'browser sessions with the simulated host', Number, 200)
    .option('--requests <number>', 'requests a second, each a submit of the next session', Number, 50)
    .option('--reloads <number>', 'reloads, one after the other', Number, 100)
    .parse([...args], { from: 'user' })
    .opts<Options>();
}

async function measure(server: ReloadedServer, options: Options): Promise<number> {
  const sessions: OpenSession[] = [];
  for (let at = 0; at < options.sessions; at++) sessions.push(await open(server.url));
  const refused = new Map<string, number>();
  const milliseconds: number[] = [];
  const inUse = new Set<OpenSession>();
  const pending = new Set<Promise<void>>();
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * options.requests;
    for (; sent < due; sent++) {
      const session = sessions[sent % sessions.length];
      // users also wait for the answer before the next key
      if (session === undefined || inUse.has(session)) continue;
      inUse.add(session);
      const asked = performance.now();
      const answer = submit(session)
        .then((said) => {
          if (said !== 'good') refused.set(said, (refused.get(said) ?? 0) + 1);
          milliseconds.push(performance.now() - asked);
        })
        .finally(() => {
          pending.delete(answer);
          inUse.delete(session);
        });
      pending.add(answer);
    }
  }, LOOK_MILLISECONDS);
  const reloads: number[] = [];
  for (let round = 1; round <= options.reloads; round++) reloads.push(await server.reload(round));
  clearInterval(timer);
  await Promise.all(pending);
  const found = await Promise.all(sessions.map(submit));
  const lost = found.filter((said) => said !== 'good').length;
  table(
    ['measured', 'figure'],
    [
      ['reloads', `${reloads.length}, p50 ${percentile(reloads, 0.5)} ms, at most ${percentile(reloads, 1)} ms`],
      ['requests meanwhile', String(milliseconds.length)],
      ['a request, host included', `p50 ${percentile(milliseconds, 0.5)} ms, p99 ${percentile(milliseconds, 0.99)} ms`],
    ],
  );
  const count = [...refused.values()].reduce((total, one) => total + one, 0);
  target('requests refused: 0', count === 0, String(count));
  for (const [said, times] of refused) say(`  - ${times} times: ${said}`);
  target(`sessions lost of ${sessions.length}: 0`, lost === 0, String(lost));
  return count === 0 && lost === 0 ? 0 : 1;
}

async function open(url: string): Promise<OpenSession> {
  const reply = await fetch(`${url}/E.HTML+TSO`, { headers: JSON_WANTED });
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
  const { action } = (await reply.json()) as { action: string };
  return { url: url + action, cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** @returns `good` if the session exists and shows its screen; otherwise the unexpected answer */
async function submit({ url, cookie }: OpenSession): Promise<string> {
  try {
    const headers = { ...JSON_WANTED, Cookie: cookie };
    const reply = await fetch(url, { method: 'POST', headers, body: new URLSearchParams({ pf: 'ENTER' }) });
    const said = await reply.text();
    const { fields } = JSON.parse(said) as { fields?: readonly unknown[] };
    return reply.status === 200 && (fields?.length ?? 0) > 0 ? 'good' : `${reply.status} ${said.slice(0, 200)}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${message} ${cause instanceof Error ? cause.message : ''}`;
  }
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

class ReloadedServer {
  readonly #folder: string;
  readonly #child: ChildProcess;
  #output = '';
  url = '';

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'sallyport-reload-'));
    writeFileSync(join(this.#folder, 'E.HTML'), '<!--SVC start="{{{" end="}}}" -->{{{SESSION-CODE}}}\n');
    const file = this.#write(0);
    const program = join(process.cwd(), 'scripts', 'sallyport.mjs');
    this.#child = spawn(process.execPath, [program, 'serve', '--config', file, '--log-form', 'json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  static async start(): Promise<ReloadedServer> {
    const server = new ReloadedServer();
    server.url = await server.#told(/^A-HTTP +(http\S+)/m);
    await server.#told(/^(B-HTTP) +http/m);
    return server;
  }

  /**
   * Changes the text of an entry point, and adds or removes a line. @returns milliseconds until the log reports the end
   */
  async reload(round: number): Promise<number> {
    this.#write(round);
    this.#output = '';
    const began = performance.now();
    this.#child.kill('SIGHUP');
    await this.#told(/("the configuration was read again")/);
    return performance.now() - began;
  }

  stop(): void {
    this.#child.kill('SIGTERM');
    void once(this.#child, 'exit').then(() => rmSync(this.#folder, { recursive: true }));
  }

  async #told(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#output)?.[1];
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null) throw new Error(`the server has ended:\n${this.#output}`);
      await pause(LOOK_MILLISECONDS);
    }
  }

  #write(round: number): string {
    const file = join(this.#folder, 'sallyport.yaml');
    const more = round % 2 === 0 ? "  B-HTTP: { listen: '127.0.0.1:0', entryPoint: E }\n" : '';
    writeFileSync(
      file,
      `directories: { CLI: . }
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
lines:
  A-HTTP: { listen: '127.0.0.1:0', entryPoint: E, limits: { sessions: 900, sessionsPerAddress: 900, sessionStartsPerAddress: 1000 } }
${more}entryPoints:
  E:
    directory: CLI
    description: round ${round}
    transactions: { TSO: { applicationType: 1, application: SIM } }
`,
    );
    return file;
  }
}
