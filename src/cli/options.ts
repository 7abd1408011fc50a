import { type Command, InvalidArgumentError } from 'commander';

const DEFAULT_TIMEOUT_SECONDS = 60;
const LONGEST_TIMEOUT_SECONDS = 3600;

export const configOption = [
  '-c, --config <file>',
  'the configuration (default: ./sallyport.yaml, or else the default configuration)',
] as const;

export function serverOptions(command: Command, what: string, address: string): Command {
  return command
    .option('--server <url>', what, address)
    .option('--token-file <file>', 'a file that holds the token (default: the variable SALLYPORT_TOKEN)')
    .option('--timeout <seconds>', 'seconds to wait for an answer', timeoutOf, DEFAULT_TIMEOUT_SECONDS)
    .option('--ca <file>', 'PEM file with additional certificate authorities, for https');
}

export function timeoutOf(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT_SECONDS) return seconds;
  throw new InvalidArgumentError(`expected seconds, more than 0 and at most ${LONGEST_TIMEOUT_SECONDS}.`);
}

export function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`expected a number from ${least} to ${most}.`);
  };
}

/** Collects the values of an option that may be repeated. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
