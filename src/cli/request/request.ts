import { Command, InvalidArgumentError } from 'commander';
import { readPemFile } from '../../config/read-pem-file.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { printableText } from '../printable-text.js';
import { RequestError } from './http-exchange.js';
import { sendScenarioRequest } from './scenario-request.js';
import { readScenarioUrl } from './scenario-url.js';

const DEFAULT_TIMEOUT_SECONDS = 30;
const LONGEST_TIMEOUT_SECONDS = 3600;

interface RequestOptions {
  readonly timeout: number;
  readonly ca?: string;
}

/** `sallyport request URL [NAME=VALUE…]`: the reference client of specification 7. */
export function requestCommand(finish: Finish): Command {
  const command = new Command('request')

    .argument('<url>', 'http://HOST:PORT/TEMPLATE+TRANSACTION')
    .argument('[parameters...]', 'NAME=VALUE')
    .option('--timeout <seconds>', 'seconds to wait for the answer', timeoutOf, DEFAULT_TIMEOUT_SECONDS)
    .option('--ca <file>', 'PEM file with additional certificate authorities, for https')
    .addHelpText(
      'after',
      '\nThe exit code is 0 if the first character of the answer is 0, otherwise 1.' +
        '\n\nExample:\n  sallyport request http://127.0.0.1:41002/WS1.HTML+WS3 FROMCURRENCY=EUR TOCURRENCY=USD',
    );
  return command.action(async (url: string, parameters: string[], options: RequestOptions) => {
    const read = readScenarioUrl(url, parameters);
    if (read.kind === 'fault') return command.error(`error: ${read.fault}`);
    const request = read.value;
    let certificateAuthorities: string | undefined;
    try {
      certificateAuthorities = options.ca === undefined ? undefined : readPemFile(options.ca).toString();
    } catch {
      return command.error(`error: --ca: the file ${options.ca} cannot be read`);
    }
    print('Line', request.url.hostname);
    print('Port', String(request.port));
    print('Template', request.template);
    print('Transaction', request.transaction);
    print('Parameters', request.parameters.map(([name, value]) => `${name}=${value}`).join('&'));
    try {
      const answer = await sendScenarioRequest(request.url, {
        timeoutMilliseconds: options.timeout * 1000,
        certificateAuthorities,
      });
      const fine = answer.startsWith('0');
      print(fine ? 'Result' : 'Error', answer.slice(1));
      if (!fine) finish(exitCodes.workFailed);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      finish(exitCodes.workFailed);
      process.stderr.write(`Error: ${printableText(error.message)}\n`);
    }
  });
}

function timeoutOf(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT_SECONDS) return seconds;
  throw new InvalidArgumentError(`expected seconds, more than 0 and at most ${LONGEST_TIMEOUT_SECONDS}.`);
}

function print(title: string, text: string): void {
  process.stdout.write(`${title}: ${process.stdout.isTTY ? printableText(text) : text}\n`);
}
