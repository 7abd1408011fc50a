import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { counted, printDiagnostics } from '../output.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { loadTemplateChecker } from './load-checkers.js';

export function checkTemplateCommand(finish: Finish): Command {
  return new Command('check-template')

    .argument('<files...>', 'templates')
    .addHelpText('after', '\nExample:\n  sallyport check-template templates/pages/WS1.HTML')
    .action(async (files: string[]) => {
      const checkTemplate = await loadTemplateChecker();
      for (const file of files) {
        try {
          await readBoundedFile(file);
          const { diagnostics, source, tags } = await checkTemplate(file);
          for (const tag of tags) process.stdout.write(`${tag}\n`);
          const errors = printDiagnostics(diagnostics, source);
          if (errors > 0) finish(exitCodes.workFailed);
          const warnings = diagnostics.length - errors;
          const good = `good, ${counted(tags.length, 'tag')}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}`;
          const verdict = errors > 0 ? counted(errors, 'error') : good;
          (errors > 0 ? process.stderr : process.stdout).write(`${file}: ${verdict}\n`);
        } catch (error) {
          finish(exitCodes.workFailed);
          process.stderr.write(`${(error as Error).message}\n`);
        }
      }
    });
}
