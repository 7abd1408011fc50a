import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { contenders } from '../bench/scenario/contender.js';
import { soak } from '../bench/scenario/soak.js';
import { TestBed } from '../bench/scenario/test-bed.js';
import { DelayedNetwork } from '../bench/services/measured-calls.js';
import { SessionBed } from '../bench/sessions/session-bed.js';
import { projectFolder } from './support/project.js';
import { needS3270 } from './support/s3270.js';

const NOWHERE = { server: undefined, demo: undefined, load: undefined, words: '' };

type Benchmark = (args: readonly string[]) => Promise<number>;

/** What `npm run bench:NAME` runs: what its script names must be there. */
async function benchmark(name: string): Promise<Benchmark> {
  const script = readFileSync(join(projectFolder, 'bench', name, 'run.mjs'), 'utf8');
  const [, exported = ''] = /^const \{ (\w+) \} = await import\(/m.exec(script) ?? [];
  const [, file = ''] = /[/'](benchmark-[\w-]+\.js)'/.exec(script) ?? [];
  const found = ((await import(`../bench/${name}/${file}`)) as Record<string, Benchmark | undefined>)[exported];
  if (found === undefined) throw new Error(`bench/${name}/run.mjs asks for what is not there: ${exported} of ${file}`);
  return found;
}

const { write: writeOut } = process.stdout;
const { write: writeErr } = process.stderr;

function restoreStreams(): void {
  process.stdout.write = writeOut;
  process.stderr.write = writeErr;
}

/** What it prints. Whether it reaches its targets is no question here. */
async function printed(name: string, args: readonly string[]): Promise<string> {
  const run = await benchmark(name);
  let text = '';
  const take = (chunk: string | Uint8Array) => {
    text += chunk.toString();
    return true;
  };
  process.stdout.write = take as typeof process.stdout.write;
  process.stderr.write = take as typeof process.stderr.write;
  const signals = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, process.listeners(signal)] as const);
  try {
    await run(args);
    return text;
  } finally {
    restoreStreams();
    for (const [signal, listeners] of signals)
      for (const listener of process.listeners(signal))
        if (!listeners.includes(listener)) process.off(signal, listener);
  }
}

describe('benchmarks, as small as may be, run to their end:', () => {
  // one that hangs would keep what mocha has to say
  afterEach(restoreStreams);

  it('reloads', async () => {
    const sizes = ['--sessions', '1', '--requests', '10', '--reloads', '2'];
    expect(await printed('reload', sizes)).to.match(/sessions lost of 1: 0: 0/);
  });

  it('sign-ons while passwords are guessed', async () => {
    const sizes = ['--seconds', '1', '--guesses', '1', '--users', '1'];
    expect(await printed('sign-ons', sizes)).to.match(/users signed on, of 1: 1/);
  });

  it('sessions of browsers', async () => {
    await benchmark('sessions');
    const bed = await SessionBed.open({ keysReady: 0, start: 'SIGNON' });
    try {
      await bed.client().do({ kind: 'openScreens', url: bed.url, sessions: 1 });
      expect((await bed.memory()).rss).to.be.greaterThan(0);
    } finally {
      await bed.close();
    }
  });

  it('scenarios, beside what is there to be started', async () => {
    await benchmark('scenario');
    const place = { port: 0, demoPort: 0, folder: '' };
    for (const { letter, prepare } of contenders)
      if (letter !== 'a') expect(existsSync(prepare(place)[0] ?? ''), letter).to.equal(true);
    const bed = new TestBed(NOWHERE);
    try {
      await bed.open();
      // each answer is compared to the byte
      const { samples } = await soak(bed, 1, () => {});
      expect(samples.map(({ requests }) => requests)).to.deep.equal([1]);
    } finally {
      await bed.close();
    }
  });

  it('printed documents', async () => {
    expect(await printed('printers', ['--smallest'])).to.include('as PDF');
  });

  it('an honest client beside a flood', async () => {
    expect(await printed('floods', ['--smallest'])).to.match(/pipelined pages \| \d+, \d+ \|/);
  });

  it('session keys with paddings that are right and wrong', () => {
    const script = join(projectFolder, 'bench', 'sessions-timing', 'measure.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '1'], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    expect(stdout).to.include('no zero anywhere');
  });

  it('calls of services', async () => {
    expect(await printed('services', ['--parts', 'memory', '--sessions', '1'])).to.match(/KiB at most: -?\d/);
    const network = await DelayedNetwork.start(9, 2);
    expect(network.port).to.be.greaterThan(0);
    network.stop();
  });

  it('clusters, the console and the terminal, of which other tests start whatever they start', async () => {
    for (const name of ['scale', 'console', 'terminal']) expect(await benchmark(name)).to.be.a('function');
  });

  describe('beside s3270:', () => {
    before(function () {
      needS3270(this);
    });

    it('the engine', async () => {
      expect(await printed('engine', ['--smallest'])).to.match(/s3270, PF8 and PF7 +.*\d/);
    });

    it('starts, transfers and sessions of scripts', async () => {
      expect(await printed('s3270', ['--smallest'])).to.match(/s3270, 1 at once +p50 +\d/);
    });
  });
});
