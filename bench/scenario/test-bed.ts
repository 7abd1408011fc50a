import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../test/support/free-port.js';
import type { Contender } from './contender.js';
import { faultAnswer, rateAnswers } from './known-answers.js';
import type { KnownAnswer, LoadResult, LoadTask } from './load-task.js';
import { type CorePlan, PinnedProcess } from './pinned-process.js';

const READY_MILLISECONDS = 20_000;
const READY_CHECK_MILLISECONDS = 50;
const LONGEST_OUTPUT_SHOWN = 2_000;

const program = (name: string) => fileURLToPath(new URL(`programs/${name}.js`, import.meta.url));

export interface RunningContender {
  readonly contender: Contender;
  readonly port: number;
  readonly process: PinnedProcess;
}

export class TestBed {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  readonly #cores: CorePlan;
  readonly #processes: PinnedProcess[] = [];
  #load: PinnedProcess | undefined;
  #demoPort = 0;
  #rates: readonly KnownAnswer[] = [];

  constructor(cores: CorePlan) {
    this.#cores = cores;
  }

  async open(): Promise<void> {
    const [demoPort = 0] = await freePorts(1);
    this.#demoPort = demoPort;
    const demo = this.#start([program('demo-service'), String(demoPort)], this.#cores.demo, 'demo-service');
    await this.#serving(demo, `${this.#demoOrigin}/CurrencyConvertor.asmx?WSDL`, 'the demo service');
    this.#rates = await rateAnswers(this.#demoOrigin);
    this.#load = this.#start([program('load-generator')], this.#cores.load, 'load-generator');
  }

  /**
   * Starts a contender and checks every rate and a fault byte by byte.
   * @param preload arguments of node before the contender's own
   */
  async start(contender: Contender, preload: readonly string[] = []): Promise<RunningContender> {
    const [port = 0] = await freePorts(1);
    const folder = join(this.folder, contender.letter);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const args = contender.prepare({ port, demoPort: this.#demoPort, folder });
    const process = this.#start([...preload, ...args], this.#cores.server, contender.letter);
    const running = { contender, port, process };
    const fault = faultAnswer(this.#demoOrigin);
    await this.#serving(process, `http://127.0.0.1:${port}${fault.path}`, contender.name);
    for (const answers of [this.#rates, [fault]]) {
      await this.#run({ port, connections: 1, milliseconds: undefined, requests: answers.length, answers }, contender);
    }
    return running;
  }

  send(
    { contender, port }: RunningContender,
    connections: number,
    amount: { readonly milliseconds: number } | { readonly requests: number },
  ): Promise<LoadResult> {
    const bound = { milliseconds: undefined, requests: undefined, ...amount };
    return this.#run({ port, connections, answers: this.#rates, ...bound }, contender);
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((process) => process.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #demoOrigin(): string {
    return `http://127.0.0.1:${this.#demoPort}`;
  }

  #start(args: readonly string[], core: number | undefined, name: string): PinnedProcess {
    const process = new PinnedProcess({ args, core, output: join(this.folder, `${name}.log`) });
    this.#processes.push(process);
    return process;
  }

  async #run(task: LoadTask, { name }: Contender): Promise<LoadResult> {
    if (this.#load === undefined) throw new Error('the test bed is not open');
    const result = await this.#load.ask<LoadResult>(task);
    if (result.failures === 0) return result;
    throw new Error(`${name}: ${result.failures} answers were not right; the first: ${result.firstFailure}`);
  }

  async #serving(process: PinnedProcess, url: string, name: string): Promise<void> {
    const end = performance.now() + READY_MILLISECONDS;
    while (process.isRunning && performance.now() < end) {
      const response = await fetch(url).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) return;
      await setTimeout(READY_CHECK_MILLISECONDS);
    }
    const said = readFileSync(process.output, 'utf8').slice(-LONGEST_OUTPUT_SHOWN);
    throw new Error(`${name} does not serve ${url}. It said:\n${said}`);
  }
}
