import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { Command, Option } from 'commander';
import { workerCode } from '../../config/worker-code.js';
import { SourceError } from '../../lib/documents/source-diagnostic.js';
import { type ExitCode, exitCodes, type Finish } from '../../lib/exit-codes.js';
import { type Log, type LogLevel, openLog } from '../../lib/log/log.js';
import { messageOf } from '../../lib/text/messages.js';
import { configurationFile } from '../configuration-file.js';
import { configOption } from '../options.js';
import { diskWords, printDiagnostics } from '../output.js';
import { adviceOnHandles } from './file-handles.js';
import { stopOnSignals } from './signals.js';

const MICROSECONDS = 1_000;
/** systemd ends a service that sends no message for a whole period. */
const MESSAGES_IN_A_PERIOD = 3;

/**
 * Sends watchdog messages to systemd if the unit of this process has `WatchdogSec`. Uses `systemd-notify`, because Node
 * has no Unix datagram sockets. Source: sd_watchdog_enabled(3), sd_notify(3).
 */
function tellSystemdWatchdog(log: Log): void {
  const { WATCHDOG_USEC: period, WATCHDOG_PID: pid, NOTIFY_SOCKET: socket } = process.env;
  const milliseconds = Number(period) / MICROSECONDS / MESSAGES_IN_A_PERIOD;
  if (!(milliseconds >= 1) || socket === undefined || (pid !== undefined && Number(pid) !== process.pid)) return;
  let isSending = false;
  let isFailing = false;
  const ended = (reason: string | undefined) => {
    isSending = false;
    if (reason !== undefined && !isFailing)
      log.error({ reason }, 'systemd cannot be notified that this process is alive, and may stop it');
    isFailing = reason !== undefined;
  };
  const send = () => {
    if (isSending) return;
    isSending = true;
    const sender = spawn('systemd-notify', ['WATCHDOG=1'], { stdio: 'ignore' });
    sender.once('error', ({ message }) => ended(message));
    sender.once('exit', (code, signal) =>
      ended(code === 0 ? undefined : `systemd-notify: ${signal ?? `exit code ${code}`}`),
    );
    sender.unref();
  };
  setInterval(send, milliseconds).unref();
  send();
}

interface ServeOptions {
  readonly config?: string;
  readonly logLevel?: LogLevel;
  readonly logForm?: 'json' | 'readable';
}

export function serveCommand(finish: Finish): Command {
  return new Command('serve')

    .option(...configOption)
    .addOption(
      new Option(
        '--log-level <level>',
        'lowest level that is logged (default: log.level of the configuration)',
      ).choices(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    )
    .addOption(
      new Option('--log-form <form>', 'format of the log (default: log.form of the configuration)').choices([
        'json',
        'readable',
      ]),
    )
    .addHelpText(
      'after',
      '\nSIGTERM or SIGINT stops it: requests in flight are finished; a second signal ends it immediately. SIGHUP reloads its' +
        '\nconfiguration; SIGUSR2 restarts its workers, if the configuration has processes.' +
        '\n\nExamples:\n  sallyport serve --config my.yaml\n  sallyport serve --log-form json --log-level warn' +
        '\n\nExit codes: 0 stopped, 1 start failed, or ended by a second signal, 2 invalid usage or configuration, or all ports taken',
    )
    .action(async (options: ServeOptions) => {
      const code = await serve(options);
      if (code !== undefined) finish(code);
    });
}

/** @returns the exit code of a failed start; undefined while the server serves */
async function serve(options: ServeOptions): Promise<ExitCode | undefined> {
  const file = configurationFile(options.config);
  let flush = () => {};
  try {
    const { loadConfiguration } = await import('../../config/load-configuration.js');
    const { configuration, diagnostics } = await loadConfiguration(file);
    const worker = cluster.isWorker ? workerCode() : undefined;
    const automaticForm = process.stdout.isTTY ? 'readable' : 'json';
    const configuredForm = configuration.log.form === 'auto' ? automaticForm : configuration.log.form;
    const opened = await openLog({
      level: options.logLevel ?? configuration.log.level,
      form: options.logForm ?? configuredForm,
      worker,
    });
    flush = opened.flush;
    endOnBrokenPromises(opened.log, flush);
    if (worker === undefined) {
      for (const { line, column, message } of diagnostics) opened.log.warn({ file, line, column }, message);
      tellSystemdWatchdog(opened.log);
    }
    const stopping = stopOnSignals(opened.log, flush);
    if (worker === undefined && configuration.processes > 1) {
      const { supervise } = await import('./supervise.js');
      await supervise(configuration, opened, stopping);
    } else {
      const { serveAlone, serveAsWorker } = await import('./serve-here.js');
      if (worker === undefined) await serveAlone(configuration, opened, stopping);
      else await serveAsWorker(worker, configuration, opened, stopping);
    }
    return undefined;
  } catch (error) {
    flush();
    if (error instanceof SourceError) {
      printDiagnostics(error.diagnostics, error.source);
      process.stderr.write(`Sallyport did not start: ${file} is invalid.\n`);
      return exitCodes.usageOrConfigurationWrong;
    }
    const advice = adviceOnHandles(error);
    const reason = advice === '' ? diskWords(error) : messageOf(error);
    process.stderr.write(`Sallyport did not start: ${reason}${advice}\n`);
    // listening lines would keep the process alive
    process.exit(exitCodes.workFailed);
  }
}

/** After a defect the state of the process is unknown: it logs the error and ends, and its supervisor restarts it. */
function endOnBrokenPromises(log: Log, flush: () => void): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, `${kind}: this is a defect of Sallyport; the process ends`);
    flush();
    process.exit(exitCodes.workFailed);
  };
  process.on('uncaughtException', end('uncaught exception'));
  process.on('unhandledRejection', end('unhandled rejection'));
}
