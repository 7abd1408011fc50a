import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditLine, AuditStage } from '../../access/audit/audit-entry.js';
import { AuditExports, type ExportFormat, piecesOf } from '../../access/audit/audit-exports.js';
import { type AuditQuery, auditOutcomes } from '../../access/audit/audit-reading.js';
import type { AuditRecord } from '../../access/audit/audit-record.js';
import { isDay } from '../../access/audit/calendar-day.js';
import { commandLineActor } from '../command-line-actor.js';
import { printableText } from '../printable-text.js';
import { inOneLine, shortened, tableOf } from '../table.js';

const LONGEST_SHOWN_TEXT = 40;
const LONGEST_SHOWN_VALUE = 60;
const LONGEST_ASKED = 64;

/** Options that say which entries are wanted, as the portal's search does. */
export function withFilters(command: Command): Command {
  return command
    .option('--who <text>', 'who did it, or from which address: a part of it', partOf)
    .option('--address <text>', 'from which address: a part of it', partOf)
    .option('--what <text>', 'the word for what was done, such as user.added: a part of it', partOf)
    .option('--text <text>', 'anything in the entry: a part of it', partOf)
    .option('--from <day>', 'from that day on: YYYY-MM-DD, in UTC', dayOf)
    .option('--to <day>', 'up to that day', dayOf)
    .addOption(new Option('--outcome <word>', 'of changes').choices(auditOutcomes));
}

interface ListWanted extends AuditQuery {
  readonly last: number;
  readonly json: boolean;
}

/** However long the trail is: no more of it is kept than is printed. */
export async function listTrail(trail: AuditRecord, options: ListWanted): Promise<void> {
  const lines: AuditLine[] = [];
  for await (const line of trail.search(queryOf(options))) {
    lines.push(line);
    if (lines.length === options.last) break;
  }
  if (options.json) for (const line of lines) process.stdout.write(`${printableText(JSON.stringify(line))}\n`);
  else process.stdout.write(tableOf(lines.map(cellsOf)));
}

interface ExportWanted extends AuditQuery {
  readonly format: ExportFormat;
  /** The trail that was named; undefined: that of the configuration. */
  readonly file?: string;
}

/** On record in the trail of the configuration. A file that was named is only read: nothing is added to an archive or a copy. */
export async function exportTrail(trail: AuditRecord, options: ExportWanted): Promise<void> {
  const { format, file } = options;
  const query = queryOf(options);
  const isOnRecord = file === undefined && (await trail.head()) !== undefined;
  const pieces = isOnRecord
    ? (await new AuditExports(() => trail).begin(commandLineActor(), { format, query })).pieces
    : piecesOf(trail.search(query), format);
  await printPieces(pieces);
}

/** A piece when the reader has taken the one before; nothing more where nobody reads any more. */
async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  let isRead = true;
  let goOn = () => {};
  const left = () => {
    isRead = false;
    goOn();
  };
  stdout.once('close', left);
  for await (const piece of pieces) {
    const isTaken = stdout.write(piece);
    if (!isTaken) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        stdout.once('drain', resolve);
      });
    }
    if (!isRead) break;
  }
  stdout.off('close', left);
}

function queryOf({ who, address, what, text, from, to, outcome }: AuditQuery): AuditQuery {
  return { who, address, what, text, from, to, outcome };
}

function cellsOf({ sequence, time, who, from, what, subject, stage, before, after }: AuditLine): string[] {
  const changes = [
    ...(before === undefined ? [] : [`before ${shortened(JSON.stringify(before), LONGEST_SHOWN_VALUE)}`]),
    ...(after === undefined ? [] : [`after ${shortened(JSON.stringify(after), LONGEST_SHOWN_VALUE)}`]),
  ];
  const word = stage === undefined ? what : `${what}${stageWords[stage]}`;
  const texts = [who, from, word, subject].map((text) => shortened(text, LONGEST_SHOWN_TEXT));
  return [`${sequence}`, time, ...texts, changes.join(', ')].map(inOneLine);
}

/** An intent is listed only where it has no outcome. */
const stageWords: Readonly<Record<AuditStage, string>> = { intended: ' (no outcome)', done: '', failed: ' (failed)' };

function partOf(text: string): string {
  if (text.length > 0 && text.length <= LONGEST_ASKED) return text;
  throw new InvalidArgumentError(`expected 1 to ${LONGEST_ASKED} characters.`);
}

function dayOf(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('expected a day: YYYY-MM-DD.');
}
