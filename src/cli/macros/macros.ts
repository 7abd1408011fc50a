import { Command } from 'commander';
import type { Finish } from '../../lib/exit-codes.js';
import { macroGenerateCommand } from './macro-generate-command.js';
import { macroUploadCommand } from './macro-upload-command.js';

/** Reference clients of specification 4.6. */
export function macrosCommand(finish: Finish): Command {
  return new Command('macros')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport macros upload SALES ANNA N 127.0.0.1:41001\n' +
        '  sallyport macros generate ALL Y 127.0.0.1:41001\n\nsallyport macros upload --help explains the arguments.',
    )
    .addCommand(macroUploadCommand(finish))
    .addCommand(macroGenerateCommand(finish));
}
