import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption } from '../options.js';
import { printableText } from '../output.js';
import { servingProcess } from './running-server.js';

export function reloadCommand(finish: Finish): Command {
  return new Command('reload')
    .option(...configOption)
    .addHelpText(
      'after',
      '\nThe file is checked first, and is not applied if it has errors. The server checks it again. Its log and its audit trail' +
        '\nlist the applied changes and those that need a restart. The signal SIGHUP has the same effect.' +
        '\n\nExamples:\n  sallyport reload\n  sallyport reload --config my.yaml' +
        '\n\nExit codes: 0 the server was notified, 1 no server is running, 2 invalid configuration',
    )
    .action(async ({ config }: { readonly config?: string }) => {
      const file = configurationFile(config);
      const loaded = await usableConfiguration(file, { withPoolPasswords: true });
      if (loaded === undefined) return finish(exitCodes.usageOrConfigurationWrong);
      const { data } = loaded.configuration;
      const pid = await servingProcess(data);
      if (pid === undefined) {
        finish(exitCodes.workFailed);
        process.stderr.write(
          `No running server with this configuration was found: ${printableText(data)} names none.\n`,
        );
        return;
      }
      process.kill(pid, 'SIGHUP');
      process.stdout.write(`Process ${pid} is reloading ${printableText(file)}; see its log for the result.\n`);
    });
}
