import { Command } from 'commander';
import { SourceError } from '../../lib/documents/source-diagnostic.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { counted, printDiagnostics } from '../output.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { loadAssembler } from './load-checkers.js';

export function assembleCommand(finish: Finish): Command {
  return new Command('assemble')

    .argument('<files...>', 'sources of presentation modules')
    .addHelpText('after', '\nExample:\n  sallyport assemble templates/scenarios/SCENRATE.scn')
    .action(async (files: string[]) => {
      const assemble = await loadAssembler();
      for (const file of files) {
        try {
          const source = await readBoundedFile(file);
          const { warnings } = assemble(source, file);
          printDiagnostics(warnings, source);
          const counts = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`;
          process.stdout.write(`${file}: assembled${counts}\n`);
        } catch (error) {
          finish(exitCodes.workFailed);
          if (error instanceof SourceError) {
            const errors = printDiagnostics(error.diagnostics, error.source);
            process.stderr.write(`${file}: not assembled: ${counted(errors, 'error')}\n`);
          } else process.stderr.write(`${(error as Error).message}\n`);
        }
      }
    });
}
