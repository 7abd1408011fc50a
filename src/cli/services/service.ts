import { Command } from 'commander';
import type { Finish } from '../exit-codes.js';
import type { TryOptions } from './try-service.js';

/** `sallyport service try`: services as the one who writes them and the one who calls them use them. */
export function serviceCommand(finish: Finish): Command {
  const command = new Command('service').addHelpText('after', help);
  const subcommand = (name: string) => {
    const made = new Command(name);
    command.addCommand(made);
    return made.exitOverride().allowExcessArguments(false).showHelpAfterError('(sallyport help service explains it)');
  };
  subcommand('try')
    .description('walk a service file in a session of its own, and say what happens')
    .argument('<file>', 'the service; screens.yaml stands beside it')
    .argument('[parameters...]', 'NAME=VALUE, of the service and of the one that signs on; what is secret is asked for')
    .option('-c, --config <file>', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .option('--host <name>', 'the host of the configuration, where it has several')
    .option('--sign-on <service>', 'a service of the same folder that is walked first')
    .action(async (file: string, words: string[], options: TryOptions) => {
      const { tryService } = await import('./try-service.js');
      finish(await tryService(file, words, options));
    });
  return command;
}

const help = `
Examples:
  printf 'demo\\n' | sallyport service try templates/services/account-inquiry.yaml account=10000001 \\
    --sign-on sign-on user=DEMO

Exit codes: 0 fine, 1 it did not come to its end, or to another one, 2 usage or configuration wrong`;
