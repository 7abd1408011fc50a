export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function progress(words: string): void {
  process.stderr.write(`${words}\n`);
}

export function target(words: string, isReached: boolean, figure: string): void {
  say(`- ${isReached ? 'reached' : '**missed**'}: ${words}: ${figure}`);
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, at) => (at === 0 ? '---' : '--:'));
  say([line(header), line(rule), ...rows.map(line)].join('\n'));
  say('');
}
