import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Start, duration and processor time in microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Work of a page's main thread, as processor time, which other load on the machine affects little. */
export interface MainThreadWork {
  /** Processor time of all tasks in milliseconds. */
  readonly tasks: number;
  /** Processor time of the longest task. */
  readonly longest: number;
  /** Milliseconds of processor time by kind of work; layout forced by a script counts as both. */
  readonly parts: ReadonlyMap<string, number>;
}

const TASK = 'RunTask';
const PARTS: Readonly<Record<string, string>> = {
  FunctionCall: 'scripts',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'before painting',
  Paint: 'paint',
  Layerize: 'layers',
  Commit: 'commit',
  MinorGC: 'collection',
  MajorGC: 'collection',
};
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata', 'v8'];

export async function mainThreadWork(session: CDPSession, act: () => Promise<void>): Promise<MainThreadWork> {
  const events: TraceEvent[] = [];
  const collected = ({ value }: { value: object[] }) => {
    events.push(...(value as TraceEvent[]));
  };
  session.on('Tracing.dataCollected', collected);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  await act();
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collected);
  return workOf(events);
}

function workOf(events: readonly TraceEvent[]): MainThreadWork {
  const main = mainThread(events);
  const parts = new Map<string, number>();
  let [tasks, longest] = [0, 0];
  for (const event of events) {
    if (event.ph !== 'X' || `${event.pid}.${event.tid}` !== main) continue;
    const time = (event.tdur ?? event.dur ?? 0) / 1_000;
    if (event.name === TASK) {
      tasks += time;
      longest = Math.max(longest, time);
    }
    const part = PARTS[event.name];
    if (part !== undefined) parts.set(part, (parts.get(part) ?? 0) + time);
  }
  return { tasks, longest, parts };
}

/** The main thread is the one with the most layout events. */
function mainThread(events: readonly TraceEvent[]): string {
  const counts = new Map<string, number>();
  for (const { name, pid, tid } of events) {
    if (name !== 'UpdateLayoutTree') continue;
    const thread = `${pid}.${tid}`;
    counts.set(thread, (counts.get(thread) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '';
}
