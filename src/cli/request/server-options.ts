import { type Command, InvalidArgumentError } from 'commander';

const DEFAULT_TIMEOUT_SECONDS = 60;
const LONGEST_TIMEOUT_SECONDS = 3600;

export function serverOptions(command: Command, what: string, address: string): Command {
  return command
    .option('--server <url>', what, address)
    .option('--token-file <file>', 'a file that holds the token (default: the variable SALLYPORT_TOKEN)')
    .option('--timeout <seconds>', 'seconds to wait for an answer', timeoutOf, DEFAULT_TIMEOUT_SECONDS)
    .option('--ca <file>', 'PEM file with additional certificate authorities, for https');
}

function timeoutOf(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT_SECONDS) return seconds;
  throw new InvalidArgumentError(`expected seconds, more than 0 and at most ${LONGEST_TIMEOUT_SECONDS}.`);
}
