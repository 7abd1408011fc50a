import { availableParallelism } from 'node:os';
import type { Spread } from './client-tasks.js';
import { median, progress, say, table, target } from './report.js';
import { SessionBed } from './session-bed.js';
import { difference, machineSeconds, usageOf } from './usage.js';

interface SignOnOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly profile: boolean;
}

const cores = availableParallelism();
/** More concurrent sign-ons than the server can create keys for. */
const SIGN_ONS_AT_ONCE = 24;
const WARM_UP_SECONDS = 20;
const KEYS_READY = 256;
const RUSH_KEYS_READY = 3_000;
const RUSH_SECONDS = 4;
const RUSH_AT_ONCE = 8;

export async function signOns({ rounds, seconds, profile }: SignOnOptions): Promise<void> {
  say('## Sign-ons with a fresh RSA-1024 pair each\n');
  const bed = await SessionBed.open({ keysReady: 8, start: 'SIGNON', profile });
  try {
    const [client, poller] = [bed.client(), bed.client()];
    const { url, server, host } = bed;
    // until V8 has compiled the code of a sign-on, after about 2,500 of them
    await client.do({ kind: 'signOns', url, atOnce: SIGN_ONS_AT_ONCE, seconds: WARM_UP_SECONDS });
    const rows: string[][] = [];
    const ratios: number[][] = [];
    for (let round = 1; round <= rounds; round++) {
      await bed.quiet();
      const watched = { client: client.process.pid, poller: poller.process.pid, host: host.pid, server: server.pid };
      const idle = usageOf(watched);
      const keys = await client.do<Spread>({ kind: 'keys', bits: 1024, seconds: Math.ceil(seconds / 2) });
      const alone = (1_000 * difference(usageOf(watched), idle).client) / keys.count;
      const before = usageOf(watched);
      const machine = machineSeconds();
      const begin = performance.now();
      const polled = poller.do<Spread>({ kind: 'poll', url, path: '/w2h/favicon.svg', seconds });
      const done = await client.do<Spread>({ kind: 'signOns', url, atOnce: SIGN_ONS_AT_ONCE, seconds });
      const used = difference(usageOf(watched), before);
      const each = (seconds: number) => (1_000 * seconds) / done.count;
      const all = ((performance.now() - begin) / 1_000) * cores;
      const strangers = machineSeconds() - machine - used.server - used.client - used.poller - used.host;
      const files = await polled;
      progress(`round ${round}: ${keys.perSecond.toFixed(0)} keys/s, ${done.perSecond.toFixed(0)} sign-ons/s`);
      const ratio = done.perSecond / keys.perSecond;
      const others = (used.client + used.poller + used.host) / all;
      ratios.push([ratio, ratio / (1 - others), files.p99, alone / each(used.server)]);
      const percent = (value: number) => `${((value / all) * 100).toFixed(0)} %`;
      rows.push([
        String(round),
        keys.perSecond.toFixed(0),
        done.perSecond.toFixed(0),
        ratio.toFixed(2),
        `${alone.toFixed(1)} / ${each(used.keys).toFixed(1)}`,
        ...[used.server - used.keys, used.client, used.poller, used.host].map((one) => each(one).toFixed(1)),
        percent(strangers),
        (ratio / (1 - others)).toFixed(2),
        `${files.p50.toFixed(1)} / ${files.p99.toFixed(1)} / ${files.most.toFixed(1)}`,
      ]);
    }
    table(
      [
        'round',
        'libcrypto keys/s',
        'sign-ons/s',
        'ratio',
        'CPU ms a key: libcrypto / key threads',
        'CPU ms a sign-on: rest of server',
        'client',
        'poller',
        'host',
        'other processes',
      ].concat('ratio to what is left for the server', 'file every 10 ms: p50 / p99 / most, ms'),
      rows,
    );
    const [raw = [], left = [], p99 = [], byProcessor = []] = [0, 1, 2, 3].map((at) =>
      ratios.map((each) => each[at] ?? 0),
    );
    target('sign-ons / libcrypto keys ≥ 0.75', median(raw) >= 0.75, median(raw).toFixed(2));
    target('the same without the share of clients and host', median(left) >= 0.75, median(left).toFixed(2));
    target(
      'CPU of a key alone / CPU of the server for a sign-on ≥ 0.75',
      median(byProcessor) >= 0.75,
      median(byProcessor).toFixed(2),
    );
    target('p99 of a file ≤ 10 ms meanwhile', median(p99) <= 10, `${median(p99).toFixed(1)} ms`);
  } finally {
    await bed.close();
  }
}

/** Runs sign-ons for a few seconds with a key pool large enough for all, like a morning after a quiet night. */
export async function rushes({ rounds, profile }: SignOnOptions): Promise<void> {
  say(`## A rush of ${RUSH_SECONDS} seconds from a full pool of ${RUSH_KEYS_READY}\n`);
  const bed = await SessionBed.open({ keysReady: RUSH_KEYS_READY, start: 'SIGNON', managed: true, profile });
  try {
    const client = bed.client();
    const { url } = bed;
    // warms up; the pool grows by one pair for each sign-on that has to wait
    for (let signedOn = 0; signedOn < RUSH_KEYS_READY; ) {
      const { count } = await client.do<Spread>({ kind: 'signOns', url, atOnce: SIGN_ONS_AT_ONCE, seconds: 5 });
      signedOn += count;
    }
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      await bed.keysReady(RUSH_KEYS_READY);
      await bed.quiet();
      const keys = await client.do<Spread>({ kind: 'keys', bits: 1024, seconds: RUSH_SECONDS });
      const done = await client.do<Spread>({ kind: 'signOns', url, atOnce: RUSH_AT_ONCE, seconds: RUSH_SECONDS });
      if (done.count > RUSH_KEYS_READY) throw new Error(`${done.count} sign-ons are more than the pool had pairs`);
      ratios.push(done.perSecond / keys.perSecond);
      rows.push([
        String(round),
        keys.perSecond.toFixed(0),
        done.perSecond.toFixed(0),
        (done.perSecond / keys.perSecond).toFixed(2),
        `${done.p50.toFixed(1)} / ${done.p99.toFixed(1)} / ${done.most.toFixed(1)}`,
      ]);
    }
    table(['round', 'libcrypto keys/s', 'sign-ons/s', 'ratio', 'a sign-on p50 / p99 / most, ms'], rows);
    target('sign-ons of a rush / libcrypto keys ≥ 0.75', median(ratios) >= 0.75, median(ratios).toFixed(2));
  } finally {
    await bed.close();
  }
}

/** 200 sign-ons that start within a time, or all at once. */
export async function bursts({ rounds, profile }: SignOnOptions): Promise<void> {
  say(`## 200 sign-ons from a full pool of ${KEYS_READY}\n`);
  const bed = await SessionBed.open({ keysReady: KEYS_READY, start: 'SIGNON', managed: true, profile });
  try {
    const client = bed.client();
    const { url } = bed;
    // the first burst has to wait, which makes the pool grow
    for (const signOns of [KEYS_READY + 50, 200, 200]) {
      await client.do({ kind: 'burst', url, signOns, milliseconds: 0 });
      await bed.keysReady(KEYS_READY);
    }
    const rows: string[][] = [];
    const verdicts: [string, number][] = [];
    for (const milliseconds of [2_000, 1_000, 500, 0]) {
      const found: Spread[] = [];
      for (let round = 0; round < rounds; round++) {
        await bed.keysReady(KEYS_READY);
        await bed.quiet();
        found.push(await client.do<Spread>({ kind: 'burst', url, signOns: 200, milliseconds }));
        progress(`200 within ${milliseconds} ms, round ${round + 1}: p99 ${found.at(-1)?.p99.toFixed(1)} ms`);
      }
      const p99s = found.map(({ p99 }) => p99);
      const when = milliseconds === 0 ? 'all at once' : `over ${milliseconds} ms`;
      rows.push([
        when,
        ...[median(found.map(({ p50 }) => p50)), median(p99s), Math.max(...p99s)].map((one) => one.toFixed(1)),
      ]);
      verdicts.push([when, median(p99s)]);
    }
    table(['200 sign-ons', 'p50 ms', 'p99 ms, median of rounds', 'p99 ms, worst round'], rows);
    for (const [when, p99] of verdicts)
      target(`p99 of a sign-on ≤ 300 ms, ${when}`, p99 <= 300, `${p99.toFixed(1)} ms`);
  } finally {
    await bed.close();
  }
}
