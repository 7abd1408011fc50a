import { Command, Option } from 'commander';
import { readServiceAddress } from '../../config/network-address.js';
import type { Finish } from '../../lib/exit-codes.js';
import { readDriveSettings } from '../drive/drive-settings.js';
import { numberFrom } from '../options.js';
import { outputKindOf, type PaperOptions, tryPrinter } from './try-printer.js';

const DEFAULT_PORT = 23;
const DEFAULT_TLS_PORT = 992;
const DEFAULT_SECONDS = 300;
const MOST_SECONDS = 86_400;
const MOST_DOCUMENTS = 100_000;

interface TryPrinterOptions extends PaperOptions {
  readonly associate?: string;
  readonly output?: string;
  readonly replace?: true;
  readonly documents?: number;
  readonly seconds: number;
  readonly silence?: number;
  readonly settings: string;
  readonly quiet?: true;
}

export function printerCommand(finish: Finish): Command {
  const command = new Command('printer');
  command
    .command('try')
    .description('connect to a host as a printer, show the negotiated functions, and print its documents')
    .argument('<address>', `host:port, or a host: port ${DEFAULT_PORT}, with TLS ${DEFAULT_TLS_PORT}`)
    .argument('[logical-unit]', 'logical unit to request, or several, separated by commas (default: the host chooses)')
    .option('--associate <display>', 'logical unit of a display: ask for its printer')
    .option(
      '-o, --output <file>',
      'FILE.pdf or FILE.txt; further documents are FILE-2, FILE-3 … (default: text on stdout)',
    )
    .option('--replace', 'overwrite an existing file')
    .addOption(
      new Option('--documents <number>', 'number of documents after which to end').argParser(
        numberFrom(1, MOST_DOCUMENTS),
      ),
    )
    .addOption(
      new Option('--seconds <number>', 'time limit for a document')
        .argParser(numberFrom(1, MOST_SECONDS))
        .default(DEFAULT_SECONDS),
    )
    .addOption(
      new Option(
        '--silence <seconds>',
        'a document ends after this time without data from the host (default: 10 with plain TN3270, otherwise never)',
      ).argParser(numberFrom(1, 3_600)),
    )
    .addOption(
      new Option('--paper <size>', 'paper of a PDF').choices(['A3', 'A4', 'A5', 'LETTER', 'LEGAL']).default('A4'),
    )
    .option('--portrait', 'portrait orientation of a PDF (default: landscape)')
    .addOption(new Option('--columns <number>', 'columns on a sheet').argParser(numberFrom(20, 255)).default(132))
    .addOption(new Option('--lines <number>', 'lines on a sheet').argParser(numberFrom(10, 255)).default(66))
    .option('--settings <json>', 'settings of the session, as for sallyport drive: codepage, tls, tn3270e …', '{}')
    .option('-q, --quiet', 'report errors only')
    .action(async (written: string, logicalUnit: string | undefined, options: TryPrinterOptions, own: Command) => {
      if (logicalUnit !== undefined && options.associate !== undefined)
        return own.error('error: the host chooses the printer of a display: leave out the logical unit or --associate');
      const settings = readDriveSettings(settingsText(options.settings, logicalUnit));
      if (settings.kind === 'fault') return own.error(`error: ${settings.fault}`);
      const address = readServiceAddress(withPort(written, settings.value.tls !== undefined));
      if (address.kind === 'fault') return own.error(`error: ${address.fault}`);
      const { associate, output } = options;
      if (associate !== undefined && !/^[A-Za-z0-9@#$._-]{1,32}$/.test(associate))
        return own.error('error: --associate: expected up to 32 letters, digits and @#$._-');
      const kind = output === undefined ? undefined : outputKindOf(output);
      if (output !== undefined && kind === undefined)
        return own.error(`error: --output: expected a name that ends in .pdf or .txt, found ${output}`);
      finish(
        await tryPrinter({
          address: address.value,
          settings: settings.value,
          associate: associate?.toUpperCase(),
          file: output === undefined || kind === undefined ? undefined : { name: output, kind },
          mayReplace: options.replace === true,
          paper: options,
          documents: options.documents,
          milliseconds: options.seconds * 1_000,
          silenceMilliseconds: options.silence === undefined ? undefined : options.silence * 1_000,
          isQuiet: options.quiet === true,
        }),
      );
      return undefined;
    });
  return command.addHelpText(
    'after',
    `
Examples:
  sallyport printer try 127.0.0.1:41023                    text on stdout, until Ctrl+C
  sallyport printer try host.example:992 PRT00017 --settings '{"tls":true}' -o printed.pdf --documents 1

Exit codes: 0 a document was printed, or Ctrl+C ended a printer that was connected; 1 not connected, no document in time, or
one could not be written; 2 invalid usage. See docs/run/printers.md.`,
  );
}

function settingsText(json: string, logicalUnit: string | undefined): string {
  if (logicalUnit === undefined) return json;
  try {
    const given: unknown = JSON.parse(json);
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return json;
    return JSON.stringify({ ...given, lu: logicalUnit.toUpperCase() });
  } catch {
    // invalid JSON is reported when the settings are read
    return json;
  }
}

function withPort(written: string, isTls: boolean): string {
  const isHostAlone = /^(?:\[[^\]]*\]|[^:]*)$/.test(written);
  return isHostAlone ? `${written}:${isTls ? DEFAULT_TLS_PORT : DEFAULT_PORT}` : written;
}
