// Process with Sallyport sessions, controlled over IPC, for comparison with the other programs.
import { BenchSession } from './bench-session.js';

export type Task =
  | { readonly kind: 'open'; readonly port: number; readonly sessions: number }
  | { readonly kind: 'idle'; readonly seconds: number }
  | { readonly kind: 'rounds'; readonly rounds: number }
  | { readonly kind: 'rate'; readonly perSecond: number; readonly seconds: number };

export interface TaskResult {
  readonly residentBytes: number;
  readonly milliseconds: readonly number[];
  readonly cpuSeconds: number;
}

const sessions: BenchSession[] = [];
const BATCH = 100;

async function run(task: Task): Promise<TaskResult> {
  const cpu = process.cpuUsage();
  let milliseconds: number[] = [];
  if (task.kind === 'open') {
    while (sessions.length < task.sessions) {
      const batch = Array.from(
        { length: Math.min(BATCH, task.sessions - sessions.length) },
        () => new BenchSession(task.port),
      );
      await Promise.all(batch.map((one) => one.ready()));
      sessions.push(...batch);
    }
  } else if (task.kind === 'idle') {
    await new Promise((resolve) => setTimeout(resolve, task.seconds * 1_000));
  } else if (task.kind === 'rounds') {
    const all = await Promise.all(
      sessions.map(async (one) => {
        const times: number[] = [];
        for (let round = 0; round < task.rounds; round++) times.push(await one.enter());
        return times;
      }),
    );
    milliseconds = all.flat();
  } else {
    milliseconds = await atRate(task.perSecond, task.seconds);
  }
  globalThis.gc?.();
  globalThis.gc?.();
  const { user, system } = process.cpuUsage(cpu);
  return { residentBytes: process.memoryUsage.rss(), milliseconds, cpuSeconds: (user + system) / 1e6 };
}

/** Presses Enter at a fixed rate. The time of a late answer counts from its scheduled start. */
async function atRate(perSecond: number, seconds: number): Promise<number[]> {
  const start = performance.now();
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const total = perSecond * seconds;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * perSecond));
    for (; sent < due; sent++) {
      const at = start + (sent / perSecond) * 1_000;
      const one = sessions[sent % sessions.length];
      if (one !== undefined) pending.push(one.enter().then(() => void times.push(performance.now() - at)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  return times;
}

process.on('message', (task: Task) => {
  run(task).then(
    (result) => process.send?.(result),
    (error) => {
      throw error;
    },
  );
});
