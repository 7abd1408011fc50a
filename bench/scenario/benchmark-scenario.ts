import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { installationFolder, installedVersion } from '../../src/config/installation.js';
import { contenders } from './contender.js';
import { type Measurement, measureRound, medianOf } from './measurement.js';
import { installPeers, peerVersions, versionOf } from './peer-packages.js';
import { type CorePlan, planCores } from './pinned-process.js';
import { koaCost, measurementTable, ratioTable, soakTable, TARGET_CONNECTIONS, targetsOf } from './report.js';
import { type SoakResult, soak } from './soak.js';
import { type RunningContender, TestBed } from './test-bed.js';

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: readonly number[];
  readonly soak: number;
  readonly result: string;
}

/** Exit code of shells after Ctrl-C. */
const INTERRUPTED = 130;

const progress = (words: string) => process.stderr.write(`${words}\n`);

/**
 * Compares the scenario of specification 4.5 with other programs, and checks memory over many requests. Writes the
 * report to bench/results too.
 * @returns exit code: 0, even if a target is missed; 1 if an answer was wrong or memory grew
 */
export async function benchmarkScenario(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (process.platform !== 'linux') throw new Error('the benchmark reads /proc and runs on Linux only');
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(INTERRUPTED));
  installPeers();
  const cores = planCores();
  const bed = new TestBed(cores);
  try {
    await bed.open();
    const measurements = options.rounds === 0 ? [] : await compare(bed, options);
    const memory = options.soak === 0 ? undefined : await soak(bed, options.soak, progress);
    const report = reportOf(args, cores, options, measurements, memory);
    process.stdout.write(report);
    mkdirSync(join(installationFolder, 'bench', 'results'), { recursive: true });
    writeFileSync(join(installationFolder, 'bench', 'results', options.result), report);
    return memory?.isWhereItWas === false ? 1 : 0;
  } finally {
    await bed.close();
  }
}

function optionsOf(args: readonly string[]): Options {
  const command = new Command('bench:scenario')
    .option('--rounds <number>', 'rounds of each contender; 0: no comparison', wholeNumber, 5)
    .option('--seconds <number>', 'seconds of a round', wholeNumber, 4)
    .option('--warm-up-seconds <number>', 'seconds before the first round', wholeNumber, 6)
    .option('--connections <list>', 'numbers of connections', numberList, [1, 16, TARGET_CONNECTIONS])
    .option('--soak <requests>', 'requests of the soak; 0: none', wholeNumber, 300_000)
    .option('--result <file>', 'file in bench/results', 'scenario.md');
  return command.parse([...args], { from: 'user' }).opts<Options>();
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

function numberList(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

/** Contenders alternate, so that other load on the machine affects all. */
async function compare(bed: TestBed, { rounds, seconds, warmUpSeconds, connections }: Options): Promise<Measurement[]> {
  const running: RunningContender[] = [];
  for (const contender of contenders) running.push(await bed.start(contender));
  for (const each of running) await bed.send(each, TARGET_CONNECTIONS, { milliseconds: warmUpSeconds * 1_000 });
  const medians: Measurement[] = [];
  for (const count of connections) {
    const measured = new Map<RunningContender, Measurement[]>(running.map((each) => [each, []]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const [each, results] of measured) {
        const result = await measureRound(bed, each, count, seconds * 1_000);
        results.push(result);
        progress(
          `${count} connections, round ${round}, (${result.letter}) ${result.requestsPerSecond.toFixed(0)} requests/s, ` +
            `p99 ${result.p99Milliseconds.toFixed(2)} ms, ${result.processorMicroseconds.toFixed(0)} µs of CPU a request`,
        );
      }
    }
    for (const results of measured.values()) medians.push(medianOf(results));
  }
  for (const { process } of running) await process.stop();
  return medians;
}

function reportOf(
  args: readonly string[],
  cores: CorePlan,
  { rounds, seconds }: Options,
  measurements: readonly Measurement[],
  memory: SoakResult | undefined,
): string {
  const undici = versionOf(join(installationFolder, 'node_modules', 'undici'));
  const parts = [
    '# Scenario benchmark',
    [
      `- Command: \`${['npm run bench:scenario', ...(args.length === 0 ? [] : ['--', ...args])].join(' ')}\``,
      `- Date: ${new Date().toISOString().slice(0, 16)}Z`,
      `- Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`,
      `- Processes: ${cores.words}`,
      `- Versions: Sallyport ${installedVersion()} (request log on, JSON, to a file), undici ${undici}, ${peerVersions()} (of the peers only (b+) logs its requests)`,
      `- Every answer was compared to the byte: every pair of the demo service's currencies in turn`,
    ].join('\n'),
  ];
  if (measurements.length > 0) {
    parts.push(
      `Median of ${rounds} rounds of ${seconds} s for each contender, taking turns.`,
      measurementTable(measurements),
      ratioTable(measurements),
      [
        ...targetsOf(measurements).map(({ words, isReached }) => `${isReached ? 'reached' : '**missed**'}: ${words}`),
        koaCost(measurements),
      ]
        .filter((line) => line !== undefined)
        .map((line) => `- ${line}`)
        .join('\n'),
    );
  }
  if (memory !== undefined) parts.push(`## Soak: ${memory.samples.at(-1)?.requests} requests`, soakTable(memory));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
