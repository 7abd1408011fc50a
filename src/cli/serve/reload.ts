import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { printableText } from '../output.js';
import { servingProcess } from './running-server.js';

export function reloadCommand(finish: Finish): Command {
  return new Command('reload')
    .option('-c, --config <file>', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .addHelpText(
      'after',
      '\nThe file is checked first: one with errors goes no further. The server checks it once more, and its log and its audit trail' +
        '\nsay what it took over and what needs a restart. It is the same as the signal SIGHUP.' +
        '\n\nExamples:\n  sallyport reload\n  sallyport reload --config my.yaml' +
        '\n\nExit codes: 0 the server was told, 1 there is none, 2 the configuration is wrong',
    )
    .action(async ({ config }: { readonly config?: string }) => {
      const file = configurationFile(config);
      const loaded = await usableConfiguration(file, { withPoolPasswords: true });
      if (loaded === undefined) {
        finish(exitCodes.usageOrConfigurationWrong);
        return;
      }
      const { data } = loaded.configuration;
      const pid = await servingProcess(data);
      if (pid === undefined) {
        finish(exitCodes.workFailed);
        process.stderr.write(
          `No server of this configuration is found: ${printableText(data)} names none that runs.\n`,
        );
        return;
      }
      process.kill(pid, 'SIGHUP');
      process.stdout.write(`Process ${pid} reads ${printableText(file)} again; its log says what came of it.\n`);
    });
}
