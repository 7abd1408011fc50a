import type { CodePage } from '../../../tn3270/codepage/code-page.js';
import { WriteEncoder } from '../../../tn3270/datastream/encoder.js';
import { displays } from '../../../tn3270/datastream/field-attribute.js';
import { formatControls } from '../../../tn3270/datastream/orders.js';
import type { Account } from '../account-book.js';
import type { Application, HostServices } from '../application.js';
import type { PrintOutcome, PrintStream, QueuedJob } from '../printer-device.js';

const wordsOfKind: Readonly<Record<Exclude<PrintOutcome['kind'], 'printed' | 'refused'>, string>> = {
  gone: 'is not connected',
  busy: 'is printing: try again',
  silent: 'does not answer',
  wrongStream: 'does not support this data stream',
};

export const statement: Application = async (terminal, host) => {
  let message = '';
  let values: Readonly<Record<string, string>> = { number: '10000001', stream: 'S' };
  for (;;) {
    const printer = values.printer || (host.printers.nearest(terminal.deviceName) ?? '');
    const panel = terminal
      .panel('PRINT', 'Account statement')
      .text(4, 2, 'Account number . .', { colour: 'green' })
      .input('number', 4, 22, { length: 8, value: values.number ?? '', numeric: true, highlighting: 'underscore' })
      .text(6, 2, 'Printer  . . . . .', { colour: 'green' })
      .input('printer', 6, 22, { length: 8, value: printer, highlighting: 'underscore' })
      .text(8, 2, 'Data stream  . . .', { colour: 'green' })
      .input('stream', 8, 22, { length: 1, value: values.stream ?? '', highlighting: 'underscore' })
      .text(8, 26, 'S=SCS (LU 1)   3=3270 (LU 3)', { colour: 'green' })
      .footed(message, 'ENTER=Print   F3=Menu');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    if (key === 'enter') {
      values = fields;
      message = await print(fields, host, printer);
    }
  }
};

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

const AMOUNT_COLUMN = 50;
/** Codes of the SNA character string (GA23-0059, chapter 9). */
const SET_HORIZONTAL_FORMAT = [0x2b, 0xc1, 0x05, 80, 1, 80, AMOUNT_COLUMN];
const SET_VERTICAL_FORMAT = [0x2b, 0xc2, 0x04, 66, 1, 66];
const HORIZONTAL_TAB = 0x05;
const INTENSIFY = [0x28, 0x41, 0xf8];
const RESET_ATTRIBUTES = [0x28, 0x00, 0x00];
const BUFFER_POSITIONS = 27 * 132;

interface StatementLine {
  readonly text: string;
  readonly amount?: string;
  readonly isHeading?: boolean;
}

export function statementJob(stream: PrintStream, account: Account, printed: Date, codePage: CodePage): QueuedJob {
  const pages = [accountPage(account, printed), bookingsPage(account)];
  const encode = stream === 'scs' ? scsPage : bufferPage;
  return { stream, records: pages.map((page, at) => encode(page, at === 0, codePage)) };
}

function accountPage({ number, name, currency, balance, limit }: Account, printed: Date): StatementLine[] {
  return [
    { text: 'SALLYPORT SAVINGS BANK', isHeading: true },
    { text: `Statement of account ${number}`, isHeading: true },
    { text: `Printed ${printed.toISOString().slice(0, 10)}` },
    { text: '' },
    { text: name },
    { text: 'Balance', amount: amount(balance, currency) },
    { text: 'Limit', amount: amount(limit, currency) },
    { text: 'Available', amount: amount(balance + limit, currency) },
  ];
}

function bookingsPage({ number, currency, balance }: Account): StatementLine[] {
  const bookings = [
    ['Brought forward', balance - 4_250],
    ['Salary', 5_000],
    ['Standing order: rent', -1_000],
    ['Interest', 250],
  ] as const;
  return [
    { text: `Bookings of account ${number}`, isHeading: true },
    { text: '' },
    ...bookings.map(([text, hundredths]) => ({ text, amount: amount(hundredths, currency) })),
    { text: 'Carried forward', amount: amount(balance, currency), isHeading: true },
  ];
}

function amount(hundredths: number, currency: string): string {
  return `${(hundredths / 100).toFixed(2).padStart(14)} ${currency}`;
}

function scsPage(lines: readonly StatementLine[], isFirst: boolean, codePage: CodePage): Uint8Array {
  const head = isFirst ? [...SET_HORIZONTAL_FORMAT, ...SET_VERTICAL_FORMAT] : [formatControls.formFeed];
  return Uint8Array.from([
    ...head,
    ...lines.flatMap(({ text, amount: figure, isHeading }) => [
      ...(isHeading === true ? INTENSIFY : []),
      ...codePage.encode(text),
      ...(figure === undefined ? [] : [HORIZONTAL_TAB, ...codePage.encode(figure)]),
      ...(isHeading === true ? RESET_ATTRIBUTES : []),
      formatControls.newLine,
    ]),
  ]);
}

function bufferPage(lines: readonly StatementLine[], isFirst: boolean, codePage: CodePage): Uint8Array {
  const write = new WriteEncoder('eraseWrite', { startPrinter: true }, BUFFER_POSITIONS);
  if (!isFirst) write.text([formatControls.formFeed]);
  for (const { text, amount: figure, isHeading } of lines) {
    // field attributes are printed as blanks
    write.startField(isHeading === true ? displays.intensified : displays.normal);
    write.text(codePage.encode(figure === undefined ? text : text.padEnd(AMOUNT_COLUMN - 2) + figure));
    write.text([formatControls.newLine]);
  }
  return write.text([formatControls.endOfMedium]).finish();
}
