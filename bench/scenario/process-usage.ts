import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Clock ticks per second, the unit of times in /proc/PID/stat (proc_pid_stat(5)). */
let ticksPerSecond: number | undefined;

/** User and system time of all threads of a process. */
export function processorSeconds(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the command, in parentheses, may contain blanks; utime and stime are fields 14 and 15
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Current (VmRSS) or maximum (VmHWM) resident memory. */
export function residentMebibytes(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}
