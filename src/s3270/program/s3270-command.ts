import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { s3270Help } from './run-s3270.js';
import { runS3270Program } from './s3270-program.js';

export function s3270Command(finish: Finish): Command {
  return new Command('s3270')
    .usage('[options of s3270] [host]')
    .argument('[words...]', 'options of s3270, each with one dash, and a host')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', s3270Help)
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const code = await runS3270Program(command.args, () => import('./s3270-sessions.js'));
      finish(code === 0 ? exitCodes.fine : exitCodes.usageOrConfigurationWrong);
    });
}
