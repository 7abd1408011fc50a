import { availableParallelism, cpus } from 'node:os';
import { InvalidArgumentError } from 'commander';

export function runHead(script: string, args: readonly string[]): string {
  return [
    `- Command: \`${[`npm run ${script}`, ...(args.length === 0 ? [] : ['--', ...args])].join(' ')}\``,
    `- Date: ${new Date().toISOString().slice(0, 16)}Z`,
    `- Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`,
  ].join('\n');
}

export function partListOf(parts: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const list = text.split(',');
    const unknown = list.find((part) => !parts.includes(part));
    if (unknown !== undefined) throw new InvalidArgumentError(`there is no part ${unknown}`);
    return list;
  };
}

export function numberFromOne(text: string): number {
  if (!/^[1-9][0-9]{0,6}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1');
  return Number(text);
}
