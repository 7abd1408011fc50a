import { generateKeyPair } from 'node:crypto';
import { Latencies } from '../scenario/latencies.js';
import { ScreenLoad, type TransactionFigures } from './screen-load.js';
import { SiteClient } from './site-client.js';
import { measureSubmits, type SubmitFigures } from './submits.js';

export type Task =
  | { readonly kind: 'keys'; readonly bits: number; readonly seconds: number }
  | { readonly kind: 'signOns'; readonly url: string; readonly atOnce: number; readonly seconds: number }
  /** Starts sign-ons evenly over a time, whether earlier ones are finished or not. */
  | { readonly kind: 'burst'; readonly url: string; readonly signOns: number; readonly milliseconds: number }
  | { readonly kind: 'poll'; readonly url: string; readonly path: string; readonly seconds: number }
  | { readonly kind: 'submits'; readonly url: string; readonly gcm: boolean; readonly rounds: number }
  | { readonly kind: 'openScreens'; readonly url: string; readonly sessions: number }
  | { readonly kind: 'transactions'; readonly perSecond: number; readonly seconds: number }
  | { readonly kind: 'closeScreens' };

export interface Spread {
  readonly count: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

export type TaskResult = Spread | TransactionFigures | readonly SubmitFigures[] | { readonly open: number };

const screens = new ScreenLoad();

export async function doTask(task: Task): Promise<TaskResult> {
  switch (task.kind) {
    case 'keys':
      return repeat(8, task.seconds, () => makeKey(task.bits));
    case 'signOns': {
      const client = new SiteClient(task.url, task.atOnce);
      const spread = await repeat(task.atOnce, task.seconds, () => client.signOn());
      await client.close();
      return spread;
    }
    case 'burst':
      return burst(task.url, task.signOns, task.milliseconds);
    case 'poll':
      return poll(task.url, task.path, task.seconds);
    case 'submits':
      return measureSubmits(task.url, task.gcm, task.rounds);
    case 'openScreens':
      return { open: await screens.open(task.url, task.sessions) };
    case 'transactions':
      return screens.run(task.perSecond, task.seconds);
    case 'closeScreens':
      return { open: await screens.close() };
  }
}

/** Waits for pending operations at the end, and counts them with their whole time. */
async function repeat(atOnce: number, seconds: number, one: () => Promise<void>): Promise<Spread> {
  const times = new Latencies();
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const start = performance.now();
        await one();
        times.add(performance.now() - start);
      }
    }),
  );
  return spreadOf(times, performance.now() - begin);
}

async function burst(url: string, signOns: number, milliseconds: number): Promise<Spread> {
  const client = new SiteClient(url, signOns);
  const times = new Latencies();
  const begin = performance.now();
  const pending: Promise<void>[] = [];
  for (let at = 0; at < signOns; at++) {
    const due = begin + (at / signOns) * milliseconds;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    const start = performance.now();
    pending.push(client.signOn().then(() => times.add(performance.now() - start)));
  }
  await Promise.all(pending);
  const spread = spreadOf(times, performance.now() - begin);
  await client.close();
  return spread;
}

/** Sends a request every 10 ms, whether the previous one was answered or not. */
async function poll(url: string, path: string, seconds: number): Promise<Spread> {
  const client = new SiteClient(url, 16);
  const times = new Latencies();
  const pending: Promise<void>[] = [];
  const begin = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const start = performance.now();
      if (start > begin + seconds * 1_000) {
        clearInterval(timer);
        resolve();
        return;
      }
      pending.push(client.get(path).then(() => times.add(performance.now() - start)));
    }, 10);
  });
  await Promise.all(pending);
  const spread = spreadOf(times, performance.now() - begin);
  await client.close();
  return spread;
}

function makeKey(bits: number): Promise<void> {
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength: bits, publicExponent: 0x10001 }, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

export function spreadOf(times: Latencies, milliseconds: number): Spread {
  return {
    count: times.count,
    perSecond: times.count / (milliseconds / 1_000),
    p50: times.percentile(0.5),
    p99: times.percentile(0.99),
    most: times.percentile(1),
  };
}
