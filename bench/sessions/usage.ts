import { readdirSync, readFileSync } from 'node:fs';
import { processorSeconds } from '../scenario/process-usage.js';

type Usage<Name extends string> = Record<Name | 'keys', number>;

/** Processor seconds so far, by process. `keys`: the server's threads of lowest priority. */
export function usageOf<Name extends string>(pids: Readonly<Record<Name, number>>): Usage<Name> {
  const used = { keys: 0 } as Usage<Name>;
  for (const name of Object.keys(pids) as Name[]) used[name] = processorSeconds(pids[name]) as Usage<Name>[Name];
  const { server } = pids as Readonly<Record<string, number>>;
  if (server !== undefined) used.keys = lowPrioritySeconds(server) as Usage<Name>['keys'];
  return used;
}

export function difference<Name extends string>(after: Usage<Name>, before: Usage<Name>): Usage<Name> {
  const names = Object.keys(after) as (keyof Usage<Name>)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Usage<Name>;
}

function lowPrioritySeconds(pid: number): number {
  let ticks = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[16]) > 0) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

export function machineSeconds(): number {
  const [, user = 0, nice = 0, system = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .map(Number);
  return (user + nice + system) / 100;
}
