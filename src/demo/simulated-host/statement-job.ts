import type { CodePage } from '../../tn3270/codepage/code-page.js';
import { WriteEncoder } from '../../tn3270/datastream/encoder.js';
import { displays } from '../../tn3270/datastream/field-attribute.js';
import { formatControls } from '../../tn3270/datastream/orders.js';
import type { Account } from './account-book.js';
import type { PrintJob, PrintStream } from './printer-device.js';

/** Where amounts begin, from 1. */
const AMOUNT_COLUMN = 50;
/** Codes of the SNA character string (GA23-0059, chapter 9). */
const SET_HORIZONTAL_FORMAT = [0x2b, 0xc1, 0x05, 80, 1, 80, AMOUNT_COLUMN];
const SET_VERTICAL_FORMAT = [0x2b, 0xc2, 0x04, 66, 1, 66];
const HORIZONTAL_TAB = 0x05;
const INTENSIFY = [0x28, 0x41, 0xf8];
const RESET_ATTRIBUTES = [0x28, 0x00, 0x00];
/** A printer's buffer, in which a page has room. */
const BUFFER_POSITIONS = 27 * 132;

interface StatementLine {
  readonly text: string;
  readonly amount?: string;
  readonly isHeading?: boolean;
}

/** A statement of an account on two pages: the account, and what was booked on it. */
export function statementJob(stream: PrintStream, account: Account, printed: Date, codePage: CodePage): PrintJob {
  const pages = [accountPage(account, printed), bookingsPage(account)];
  const records =
    stream === 'scs'
      ? pages.map((page, at) => scsPage(page, at === 0, codePage))
      : pages.map((page, at) => bufferPage(page, at === 0, codePage));
  return { stream, records };
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
    // the attribute is printed as a blank
    write.startField(isHeading === true ? displays.intensified : displays.normal);
    write.text(codePage.encode(figure === undefined ? text : text.padEnd(AMOUNT_COLUMN - 2) + figure));
    write.text([formatControls.newLine]);
  }
  return write.text([formatControls.endOfMedium]).finish();
}
