import { Command } from 'commander';
import { numberFromOne, partListOf, runHead } from '../run-head.js';
import { median, progress, say, table, target } from '../sessions/report.js';
import type { LoadFigures } from './cluster-load.js';
import { consistency } from './consistency.js';
import { type DatabaseTrouble, databaseTrouble } from './database-trouble.js';
import { efficiency } from './efficiency.js';
import { failover } from './failover.js';
import { killedWorkers } from './killed-workers.js';
import type { RegisterFigures } from './registers.js';
import { statements } from './statements.js';
import { vanished } from './vanished.js';

interface Options {
  readonly parts: readonly string[];
  readonly nodes: number;
  readonly sessions: number;
  readonly rate: number;
  readonly quiet: number;
  readonly think: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly connections: number;
  readonly each?: boolean;
  readonly pace?: number;
  readonly core?: number;
  readonly workers: number;
  readonly killSeconds: number;
  readonly troubleSeconds: number;
  readonly seed: number;
  readonly tries: number;
  readonly databaseSeconds: number;
  readonly from?: string;
}

const parts = ['failover', 'efficiency', 'workers', 'consistency', 'vanished', 'gone', 'full', 'statements'] as const;
const LEAST_EFFICIENCY = 0.9;
const MOST_SECONDS_UNTIL_TOLD = 5;
const MOST_SHOWN = 10;
const KIND_LENGTH = 50;

export async function benchmarkScale(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  say(`${runHead('bench:scale', args)}\n`);
  const has = (part: (typeof parts)[number]) => options.parts.includes(part);
  if (has('failover')) await measureFailover(options);
  if (has('efficiency')) await measureEfficiency(options);
  if (has('workers')) await measureKilledWorkers(options);
  if (has('consistency')) await measureConsistency(options);
  if (has('vanished')) await measureVanished(options);
  for (const trouble of ['gone', 'full'] as const) if (has(trouble)) await measureDatabaseTrouble(options, trouble);
  if (has('statements')) await measureStatements();
  return 0;
}

function optionsOf(args: readonly string[]): Options {
  return new Command('bench:scale')
    .description('Measures several servers behind HAProxy with PostgreSQL, and several processes on one machine.')
    .option('--parts <list>', `what to measure, of ${parts.join(', ')}`, partListOf(parts), [...parts])
    .option('--nodes <number>', 'servers, 2 or 3', numberFromOne, 3)
    .option('--sessions <number>', 'browser sessions', numberFromOne, 600)
    .option('--rate <number>', 'requests of scenarios in a second', numberFromOne, 60)
    .option('--think <seconds>', 'between two keys of a session', numberFromOne, 5)
    .option('--quiet <seconds>', 'between troubles', numberFromOne, 10)
    .option('--warm-up <number>', 'requests to each server before its efficiency is measured', numberFromOne, 4_000)
    .option('--rounds <number>', 'rounds of efficiency', numberFromOne, 5)
    .option('--round-seconds <seconds>', 'of one round for each server', numberFromOne, 5)
    .option('--connections <number>', 'of the load generator, an even number', numberFromOne, 16)
    .option('--each', 'so many connections to each process that serves, and not to all together')
    .option(
      '--pace <number>',
      'requests a second to each process that serves; not given: as many as it answers',
      numberFromOne,
    )
    .option('--core <number>', 'all servers whose efficiency is measured run on that core, and nothing else', Number)
    .option('--workers <number>', 'workers, one of which is killed at random every second', numberFromOne, 4)
    .option('--kill-seconds <seconds>', 'how long', numberFromOne, 300)
    .option('--trouble-seconds <seconds>', 'how long clients write and read during kills and cuts', numberFromOne, 300)
    .option('--seed <number>', 'of these troubles', numberFromOne, 1)
    .option('--database-seconds <seconds>', 'how long PostgreSQL is gone, or its disk full', numberFromOne, 60)
    .option('--from <folder>', 'a checkout of an older version, which the servers of failover are upgraded from')
    .option('--tries <number>', 'servers that vanish while somebody asks for a session of theirs', numberFromOne, 12)
    .parse([...args], { from: 'user' })
    .opts<Options>();
}

async function measureFailover({ nodes, sessions, rate, think, quiet, from }: Options): Promise<void> {
  say(
    `## ${nodes} servers, ${sessions} browser sessions, ${rate} requests of scenarios a second: kill -9, then a rolling restart${from === undefined ? '' : `, from the version in ${from}`}\n`,
  );
  const figures = await failover({
    nodes,
    sessions,
    rate,
    writers: 8,
    thinkMilliseconds: think * 1_000,
    quietMilliseconds: quiet * 1_000,
    from,
    told: progress,
  });
  loadTable(figures.load);
  failuresTarget('failed requests outside the sessions of the killed server', figures.load);
  writesTargets(figures.writes);
  const { signOns, signOnsKept, exitCodes, auditEntries } = figures;
  target('sign-ons kept', signOnsKept === signOns, `${signOnsKept} of ${signOns}`);
  target(
    'servers ended by themselves',
    exitCodes.every((code) => code === 0),
    exitCodes.join(', '),
  );
  say(`- the chain of the audit trail is whole: ${auditEntries} entries\n`);
}

async function measureEfficiency({
  warmUp,
  rounds,
  roundSeconds,
  connections,
  each = false,
  pace,
  core,
}: Options): Promise<void> {
  const where = core === undefined ? '' : `, all on core ${core}`;
  const how = pace === undefined ? '' : `, ${pace} a second to each process`;
  say(`## Requests of scenarios: two workers against one process, in turn${how}${where}\n`);
  const figures = await efficiency({
    warmUp,
    rounds,
    roundMilliseconds: roundSeconds * 1_000,
    connections,
    isForEach: each,
    pace,
    core,
  });
  table(
    ['', 'a second of processor time (median)', 'rounds', 'a second (median)'],
    figures.map(({ name, requestsPerProcessorSecond, requestsPerSecond }) => [
      name,
      median(requestsPerProcessorSecond).toFixed(0),
      requestsPerProcessorSecond.map((figure) => figure.toFixed(0)).join(', '),
      median(requestsPerSecond).toFixed(0),
    ]),
  );
  const [one = [], workers = [], processes = [], plain = [], plainProcesses = []] = figures.map(
    (figure) => figure.requestsPerProcessorSecond,
  );
  const ratiosTo = (of: readonly number[], to: readonly number[]) => of.map((figure, at) => figure / (to[at] ?? 0));
  const words = (ratios: readonly number[]) =>
    `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  const ratios = ratiosTo(workers, one);
  target(
    `requests a second of processor time at least ${LEAST_EFFICIENCY} of one process`,
    median(ratios) >= LEAST_EFFICIENCY,
    words(ratios),
  );
  say(`- two processes without a supervisor, of one process: ${words(ratiosTo(processes, one))}`);
  say(`- the same of node:http and undici, without Sallyport: ${words(ratiosTo(plainProcesses, plain))}`);
  say(`- workers, of two processes without a supervisor: ${words(ratiosTo(workers, processes))}`);
  const share = figures[1]?.firstProcessShare ?? 0;
  say(`- the supervisor took ${(share * 100).toFixed(1)} % of the processor time of its machine's processes\n`);
}

async function measureKilledWorkers({ workers, sessions, rate, killSeconds }: Options): Promise<void> {
  say(`## ${workers} workers on one machine, one killed at random every second for ${killSeconds} seconds\n`);
  const figures = await killedWorkers({ workers, sessions, rate, seconds: killSeconds, told: progress });
  loadTable(figures.load);
  say(
    `- ${figures.killed} workers were killed; ${figures.load.failures.length} requests failed outside their sessions`,
  );
  for (const words of kindsOf(figures.load.failures).slice(0, MOST_SHOWN)) say(`  - ${words}`);
  target(
    'all workers are running afterwards',
    figures.serving === figures.workers,
    `${figures.serving} of ${figures.workers}`,
  );
  writesTargets(figures.writes);
  say(`- the chain of the audit trail is whole: ${figures.auditEntries} entries\n`);
}

async function measureConsistency({ nodes, quiet, troubleSeconds, seed }: Options): Promise<void> {
  say(`## 8 clients write and read at ${nodes} servers during ${troubleSeconds} seconds of troubles, seed ${seed}\n`);
  const figures = await consistency({
    nodes,
    clients: 8,
    milliseconds: troubleSeconds * 1_000,
    seed,
    quietMilliseconds: quiet * 100,
    told: progress,
  });
  writesTargets(figures);
  const { kill, stop, cut } = figures.happened;
  say(
    `- ${kill} times a server was killed, ${stop} times one stood still, ${figures.happened['cut off']} times one was cut off from PostgreSQL, ${cut} times connections were ended`,
  );
  say(`- ${figures.reads} reads; the chain of the audit trail is whole: ${figures.auditEntries} entries\n`);
}

async function measureVanished({ tries }: Options): Promise<void> {
  say('## A request for a session of a server that vanishes at that moment: until its user has an answer\n');
  const found = await vanished(tries, progress);
  const seconds = found.map((one) => one.seconds);
  const longest = Math.max(...seconds);
  target(
    `seconds until the page is there at most ${MOST_SECONDS_UNTIL_TOLD}`,
    longest <= MOST_SECONDS_UNTIL_TOLD,
    `${Math.min(...seconds).toFixed(1)} to ${longest.toFixed(1)}, median ${median(seconds).toFixed(1)}`,
  );
  const led = found.filter(({ leadsOn }) => leadsOn).length;
  target('answers that say so, and lead to the menu', led === tries, `${led} of ${tries}`);
}

async function measureDatabaseTrouble(
  { nodes, sessions, rate, think, databaseSeconds: seconds }: Options,
  trouble: DatabaseTrouble,
): Promise<void> {
  const words = trouble === 'gone' ? 'PostgreSQL is gone' : 'the disk of PostgreSQL is full';
  say(
    `## ${nodes} servers, ${sessions} browser sessions, ${rate} requests of scenarios a second: ${words} for ${seconds} seconds\n`,
  );
  const figures = await databaseTrouble({
    trouble,
    nodes,
    sessions,
    rate,
    thinkMilliseconds: think * 1_000,
    seconds,
    told: progress,
  });
  loadTable(figures.load);
  failuresTarget('failed requests of sessions and scenarios', figures.load);
  const answers = Object.entries(figures.answers).map(([what, count]) => `${what}: ${count}`);
  say(`- meanwhile, behind HAProxy and at each server: ${answers.join(', ')}`);
  const { wrongRefusals } = figures;
  target('refusals are 503 with Retry-After', wrongRefusals.length === 0, `${wrongRefusals.length} are not`);
  for (const refusal of wrongRefusals.slice(0, MOST_SHOWN)) say(`  - ${refusal}`);
  writesTargets(figures.writes);
  say(`- all by itself well again after ${figures.secondsUntilWell.toFixed(1)} s`);
  say(`- the chain of the audit trail is whole: ${figures.auditEntries} entries\n`);
}

async function measureStatements(): Promise<void> {
  say('## What one server asks of PostgreSQL for each thing that its users do\n');
  table(
    ['', 'transactions', 'statements by table'],
    (await statements()).map(({ act, statements: { begin = 0, ...rest } }) => [
      act,
      begin.toFixed(1),
      Object.entries(rest)
        .map(([name, count]) => `${name} ${count.toFixed(1)}`)
        .join(', '),
    ]),
  );
}

function loadTable({ answered, ownLost, left }: LoadFigures): void {
  table(
    ['sessions begun', 'keys', 'scenarios', 'sessions lost with a killed process', 'users who left when told'],
    [[answered.begin, answered.key, answered.scenario, ownLost, left].map(String)],
  );
}

function kindsOf(failures: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const failure of failures) {
    const kind = failure.replace(/^\S+ (?<what>\w+)(?: at \w+)?/, '$<what>').slice(0, KIND_LENGTH);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([kind, count]) => `${count} × ${kind}`);
}

function failuresTarget(words: string, { failures }: LoadFigures): void {
  target(words, failures.length === 0, String(failures.length));
  for (const failure of failures.slice(0, MOST_SHOWN)) say(`  - ${failure}`);
}

function writesTargets({ acknowledged, unknown, wrong }: RegisterFigures): void {
  const words = `${acknowledged} acknowledged, ${unknown} not; ${wrong.length} reads without one`;
  target('every acknowledged write is read by all', wrong.length === 0, words);
  for (const fault of wrong.slice(0, MOST_SHOWN)) say(`  - ${fault}`);
}
