import { Command, Option } from 'commander';
import type { InboundLineDefinition } from '../../line/line-definition.js';
import { listenAddress } from '../../line/line-opening-error.js';
import type { Log, LogLevel } from '../../log.js';
import { openLog } from '../../log.js';
import { SourceError } from '../../source-diagnostic.js';
import { printDiagnostics } from '../check/print-diagnostics.js';
import { configurationFile } from '../configuration-file.js';
import { type ExitCode, exitCodes, type Finish } from '../exit-codes.js';
import { adviceOnHandles, fileHandleLimit, warnOfFewHandles, watchHandles } from './file-handles.js';
import { reloadOnSignal } from './reload-on-signal.js';
import { noteServing, noteStopped } from './running-server.js';
import { stopOnSignals } from './stop-on-signals.js';

interface ServeOptions {
  readonly config?: string;
  readonly logLevel?: LogLevel;
  readonly logForm?: 'json' | 'readable';
}

/** `sallyport serve`: serves until SIGTERM or SIGINT. */
export function serveCommand(finish: Finish): Command {
  return new Command('serve')

    .option('-c, --config <file>', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .addOption(
      new Option('--log-level <level>', 'lowest level that is logged').choices([
        'trace',
        'debug',
        'info',
        'warn',
        'error',
        'silent',
      ]),
    )
    .addOption(new Option('--log-form <form>', 'form of the log').choices(['json', 'readable']))
    .addHelpText(
      'after',
      '\nSIGTERM or SIGINT stops it: requests in flight are finished; a second signal ends it at once. SIGHUP has it read its' +
        '\nconfiguration again.' +
        '\n\nExamples:\n  sallyport serve --config my.yaml\n  sallyport serve --log-form json --log-level warn',
    )
    .action(async (options: ServeOptions) => {
      const code = await serve(options);
      if (code !== undefined) finish(code);
    });
}

/** @returns the exit code of a start that failed; undefined while the server serves */
async function serve(options: ServeOptions): Promise<ExitCode | undefined> {
  const file = configurationFile(options.config);
  let flush = () => {};
  try {
    const { loadConfiguration } = await import('../../config/load-configuration.js');
    const { configuration, diagnostics } = await loadConfiguration(file);
    const automaticForm = process.stdout.isTTY ? 'readable' : 'json';
    const configuredForm = configuration.log.form === 'auto' ? automaticForm : configuration.log.form;
    const opened = await openLog({
      level: options.logLevel ?? configuration.log.level,
      form: options.logForm ?? configuredForm,
    });
    flush = opened.flush;
    endOnBrokenPromises(opened.log, flush);
    for (const { line, column, message } of diagnostics) opened.log.warn({ file, line, column }, message);
    const { startServer } = await import('../../composition/server.js');
    const { firstAdministrator } = await import('../users/first-administrator.js');
    const stopping = stopOnSignals(opened.log, flush);
    const aboutUsers = await firstAdministrator(configuration);
    const handles = await fileHandleLimit();
    if (handles !== undefined) {
      warnOfFewHandles(configuration, handles, opened.log);
      watchHandles(handles, opened.log);
    }
    const server = await startServer(configuration, opened.log, opened.lines);
    flush();
    for (const { name, url, purpose } of server.listeners) {
      process.stdout.write(`${name.padEnd(8)} ${url}  ${purpose}\n`);
    }
    process.stdout.write(aboutUsers);
    stopping.begin(async () => {
      await server.stop();
      await noteStopped(configuration.data);
    });
    await noteServing(configuration.data).catch((error) =>
      opened.log.warn({ err: error }, 'sallyport reload will not find this server'),
    );
    reloadOnSignal(() => server.reload({ who: 'SIGHUP', from: 'the system' }));
    const { linesWithoutPort } = server;
    for (const line of linesWithoutPort) await tellWhoHasThePort(line);
    if (linesWithoutPort.length > 0 && linesWithoutPort.length === configuration.inboundLines.length) {
      await server.stop();
      flush();
      process.stderr.write('Sallyport did not start: none of its lines has its port.\n');
      process.exit(exitCodes.usageOrConfigurationWrong);
    }
    return undefined;
  } catch (error) {
    flush();
    if (error instanceof SourceError) {
      printDiagnostics(error.diagnostics, error.source);
      process.stderr.write(`Sallyport did not start: ${file} is wrong.\n`);
      return exitCodes.usageOrConfigurationWrong;
    }
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Sallyport did not start: ${reason}${adviceOnHandles(error)}\n`);
    // lines that already listen would keep the process alive
    process.exit(exitCodes.workFailed);
  }
}

async function tellWhoHasThePort(line: InboundLineDefinition): Promise<void> {
  const { portHolder } = await import('./port-holder.js');
  const holder = await portHolder(line.host, line.port);
  const words = holder ?? 'another program (which one, this user cannot see)';
  process.stderr.write(`line ${line.name}: ${listenAddress(line)} is taken by ${words}\n`);
}

/** A defect leaves the process in no known state: it says so and ends, and whoever supervises it starts it again. */
function endOnBrokenPromises(log: Log, flush: () => void): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, `${kind}: this is a defect of Sallyport; the process ends`);
    flush();
    process.exit(exitCodes.workFailed);
  };
  process.on('uncaughtException', end('uncaught exception'));
  process.on('unhandledRejection', end('unhandled rejection'));
}
