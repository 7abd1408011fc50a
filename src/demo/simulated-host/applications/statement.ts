import type { Application, HostServices } from '../application.js';
import type { PrintOutcome } from '../printer-device.js';
import { statementJob } from '../statement-job.js';

const wordsOfKind: Readonly<Record<Exclude<PrintOutcome['kind'], 'printed' | 'refused'>, string>> = {
  gone: 'is not connected',
  busy: 'is printing: try again',
  silent: 'does not answer',
  wrongStream: 'does not take this data stream',
};

/** Prints the statement of an account on a printer that is connected to this host, by either data stream. */
export const statement: Application = async (terminal, host) => {
  let message = '';
  let values: Readonly<Record<string, string>> = { number: '10000001', stream: 'S' };
  for (;;) {
    const printer = values.printer || (host.printers.nearest(terminal.deviceName) ?? '');
    const panel = terminal
      .panel()
      .text(1, 2, 'PRINT', { colour: 'turquoise' })
      .text(1, 30, 'Account statement', { colour: 'neutralWhite', intensified: true })
      .text(4, 2, 'Account number . .', { colour: 'green' })
      .input('number', 4, 22, { length: 8, value: values.number ?? '', numeric: true, highlighting: 'underscore' })
      .text(6, 2, 'Printer  . . . . .', { colour: 'green' })
      .input('printer', 6, 22, { length: 8, value: printer, highlighting: 'underscore' })
      .text(8, 2, 'Data stream  . . .', { colour: 'green' })
      .input('stream', 8, 22, { length: 1, value: values.stream ?? '', highlighting: 'underscore' })
      .text(8, 26, 'S=SCS (LU 1)   3=3270 (LU 3)', { colour: 'green' })
      .text(22, 2, message, { colour: 'yellow' })
      .text(24, 2, 'ENTER=Print   F3=Menu', { colour: 'blue' });
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    if (key === 'enter') {
      values = fields;
      message = await print(fields, host, printer);
    }
  }
};

/** @param nearest where it is printed unless another printer is named */
async function print(fields: Readonly<Record<string, string>>, host: HostServices, nearest: string): Promise<string> {
  const { number = '', stream = '' } = fields;
  const printer = fields.printer || nearest;
  const account = host.accounts.find(number);
  const name = printer.toUpperCase();
  if (account === undefined) return `There is no account ${number}`;
  if (name === '') return 'No printer is connected';
  if (!/^[S3]$/i.test(stream)) return 'Data stream: S or 3';
  const kind = stream === '3' ? '3270' : 'scs';
  const outcome = await host.printers.print(name, statementJob(kind, account, host.now(), host.codePage));
  if (outcome.kind === 'printed') return `The statement of account ${number} was printed on ${name}`;
  if (outcome.kind === 'refused') return `Printer ${name} refused the statement: code ${outcome.code}`;
  return `Printer ${name} ${wordsOfKind[outcome.kind]}`;
}
