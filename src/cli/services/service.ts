import { Command, Option } from 'commander';
import type { Finish } from '../../lib/exit-codes.js';
import { collected, configOption, serverOptions } from '../options.js';
import type { ServerOptions } from '../request/token-requests.js';
import type { CallOptions } from './service-requests.js';
import type { TryOptions } from './try-service.js';

const DEFAULT_SERVER = 'http://127.0.0.1:41002';

export function serviceCommand(finish: Finish): Command {
  const command = new Command('service').addHelpText('after', help);
  const request = (name: string) =>
    serverOptions(command.command(name), 'URL of the line with the services', DEFAULT_SERVER);
  request('list')
    .description('list the services that a token may call')
    .action(async (options: ServerOptions) => {
      const { listServices } = await import('./service-requests.js');
      finish(await listServices(options));
    });
  request('call')
    .description('call a service and print its answer')
    .argument('<name>', 'the service')
    .argument('[parameters...]', 'NAME=VALUE')
    .addOption(
      new Option(
        '--ask <parameter>',
        'prompt for this parameter, because other users can see command lines; may be repeated',
      )
        .argParser(collected)
        .default([], 'none'),
    )
    .option('--idempotency-key <key>', 'execute the call only once, even if it is repeated with this key')
    .action(async (name: string, words: string[], options: CallOptions) => {
      const { callService } = await import('./service-requests.js');
      finish(await callService(name, words, options));
    });
  command
    .command('try')
    .description('run a service file in its own session, and report each step')
    .argument('<file>', 'service file, in the same folder as screens.yaml')
    .argument('[parameters...]', 'NAME=VALUE, for the service and its sign-on service; you are asked for secret ones')
    .option(...configOption)
    .option('--host <name>', 'host of the configuration, if there are several')
    .option('--sign-on <service>', 'service of the same folder to run first')
    .action(async (file: string, words: string[], options: TryOptions) => {
      const { tryService } = await import('./try-service.js');
      finish(await tryService(file, words, options));
    });
  return command;
}

const help = `
Examples:
  sallyport service list --token-file ./token
  sallyport service call account-inquiry account=10000001 --server https://sallyport.example
  printf 'demo\\n' | sallyport service try templates/services/account-inquiry.yaml account=10000001 \\
    --sign-on sign-on user=DEMO

Exit codes: 0 success, 1 the service failed or had another outcome, 2 invalid usage or configuration`;
