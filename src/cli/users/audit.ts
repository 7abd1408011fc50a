import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AuditLine, AuditStage } from '../../access/audit/audit-entry.js';
import { AuditExports, type ExportFormat, exportFormats, piecesOf } from '../../access/audit/audit-exports.js';
import { type AuditQuery, auditOutcomes } from '../../access/audit/audit-reading.js';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import {
  type ExpectedEntry,
  type VerificationOutcome,
  verifyAuditTrail,
} from '../../access/audit/audit-verification.js';
import { AUDIT_TRAIL_NAME, FileAuditTrail, MOST_LATEST_LINES } from '../../access/audit/file-audit-trail.js';
import { unreadable } from '../../config/read-source.js';
import { isDay } from '../../lib/calendar-day.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { commandLineActor } from '../command-line-actor.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption, numberFrom } from '../options.js';
import { inOneLine, printableText, shortened, tableOf } from '../output.js';

const LONGEST_SHOWN_TEXT = 40;
const LONGEST_SHOWN_VALUE = 60;
const LONGEST_ASKED = 64;

function withFilters(command: Command): Command {
  return command
    .option('--who <text>', 'user, program or address contains this text', partOf)
    .option('--address <text>', 'address contains this text', partOf)
    .option('--what <text>', 'event name, such as user.added, contains this text', partOf)
    .option('--text <text>', 'any part of the entry contains this text', partOf)
    .option('--from <day>', 'first day, as YYYY-MM-DD in UTC', dayOf)
    .option('--to <day>', 'last day', dayOf)
    .addOption(new Option('--outcome <word>', 'outcome of the change').choices(auditOutcomes));
}

/** Keeps only the printed entries in memory, because the trail may be large. */
async function listTrail(trail: AuditTrail, options: ListOptions): Promise<void> {
  const lines: AuditLine[] = [];
  for await (const line of trail.search(queryOf(options))) {
    lines.push(line);
    if (lines.length === options.last) break;
  }
  if (options.json) for (const line of lines) process.stdout.write(`${printableText(JSON.stringify(line))}\n`);
  else process.stdout.write(tableOf(lines.map(cellsOf)));
}

/** Exports of the configuration's trail are recorded in it. A named file, such as an archive, is only read. */
async function exportTrail(trail: AuditTrail, options: ExportOptions): Promise<void> {
  const { format, file } = options;
  const query = queryOf(options);
  const isOnRecord = file === undefined && (await trail.head()) !== undefined;
  const pieces = isOnRecord
    ? (await new AuditExports(() => trail).begin(commandLineActor(), { format, query })).pieces
    : piecesOf(trail.search(query), format);
  await printPieces(pieces);
}

/** Waits for the reader between pieces, and stops if the reader closes the output. */
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

/** An intent is listed only if it has no outcome. */
const stageWords: Readonly<Record<AuditStage, string>> = { intended: ' (no outcome)', done: '', failed: ' (failed)' };

function partOf(text: string): string {
  if (text.length > 0 && text.length <= LONGEST_ASKED) return text;
  throw new InvalidArgumentError(`expected 1 to ${LONGEST_ASKED} characters.`);
}

function dayOf(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('expected a day: YYYY-MM-DD.');
}

const DEFAULT_LINES = 20;

interface TrailOptions {
  readonly config?: string;
  readonly file?: string;
}

interface VerifyOptions extends TrailOptions {
  readonly entry?: ExpectedEntry;
}

interface ListOptions extends TrailOptions, AuditQuery {
  readonly last: number;
  readonly json: boolean;
}

interface ExportOptions extends TrailOptions, AuditQuery {
  readonly format: ExportFormat;
}

export function auditCommand(finish: Finish): Command {
  const verify = new Command('verify')
    .description('verify that no line of the audit trail was changed, removed, inserted or moved')
    .option('--entry <N:HASH>', 'entry that must be unchanged, as printed by an earlier verification', entryOf)
    .addHelpText('after', verifyHelp)
    .action((options: VerifyOptions) => withTrail(finish, options, (trail) => verifyTrail(finish, trail, options)));
  const list = withFilters(new Command('list'))
    .description('list the last entries of the audit trail, newest first')
    .option(
      '-n, --last <count>',
      `number of entries, at most ${MOST_LATEST_LINES}`,
      numberFrom(1, MOST_LATEST_LINES),
      DEFAULT_LINES,
    )
    .option('--json', 'complete entries, one JSON object per line', false)
    .addHelpText('after', listHelp)
    .action((options: ListOptions) => withTrail(finish, options, ({ record }) => listTrail(record, options)));
  const exported = withFilters(new Command('export'))
    .description('print all matching entries of the audit trail, newest first, for other programs')
    .addOption(
      new Option('--format <format>', 'CSV with a heading, or JSON lines').choices(exportFormats).default('csv'),
    )
    .addHelpText('after', exportHelp)
    .action((options: ExportOptions) => withTrail(finish, options, ({ record }) => exportTrail(record, options)));
  const command = new Command('audit').addHelpText(
    'after',
    '\nExamples:\n  sallyport audit verify\n  sallyport audit list --last 50\n  sallyport audit export > audit.csv',
  );
  for (const subcommand of [verify, list, exported]) {
    subcommand
      .option(...configOption)
      .option(
        '-f, --file <file>',
        `the trail itself (default: ${AUDIT_TRAIL_NAME} in the data folder of the configuration)`,
      );
    command.addCommand(subcommand);
  }
  return command;
}

const verifyHelp = `
Prints the number of the last entry and its hash, N:HASH. Anyone able to write the file could cut off its end, or rewrite
all of it, and it would still be unbroken. Keep N:HASH elsewhere, and pass it to a later verification with --entry.

Changes without an outcome are listed as well: they are in progress, or were interrupted.

Examples:
  sallyport audit verify
  sallyport audit verify --config my.yaml --entry 118:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
  sallyport audit verify --file archive/audit-2026.jsonl

Exit codes: 0 unbroken, 1 broken or not readable, 2 invalid usage or configuration`;

const listHelp = `
Examples:
  sallyport audit list
  sallyport audit list --last 100 --config my.yaml
  sallyport audit list --who ANNA --from 2027-03-01 --outcome failed
  sallyport audit list --last 1000 --json | jq 'select(.what == "user.added")'

Exit codes: 0 success, 1 not readable, 2 invalid usage or configuration`;

const exportHelp = `
All files of the trail are exported, including older ones. In CSV, an apostrophe precedes each text that a
spreadsheet would evaluate. The trail records the export, unless --file
names the trail: nothing is added to an archive or a copy.

Examples:
  sallyport audit export > audit.csv
  sallyport audit export --format jsonl --from 2027-01-01 --to 2027-03-31 | gzip > quarter.jsonl.gz
  sallyport audit export --what user. --who ANNA

Exit codes: 0 success, 1 not readable, 2 invalid usage or configuration`;

interface Trail {
  readonly name: string;
  readonly record: AuditTrail;
  verify(expected: ExpectedEntry | undefined): Promise<VerificationOutcome>;
  close(): Promise<void>;
}

async function withTrail(finish: Finish, options: TrailOptions, work: (trail: Trail) => Promise<void>): Promise<void> {
  let trail: Trail | undefined;
  try {
    const { file, config } = options;
    trail = file === undefined ? await trailOfConfiguration(finish, configurationFile(config)) : trailOfFile(file);
    // a missing trail is not an error, because it is created with the first entry; a missing named file is
    if (file !== undefined) await access(file);
    if (trail !== undefined) await work(trail);
  } catch (error) {
    finish(exitCodes.workFailed);
    const { code = '', message } = error as NodeJS.ErrnoException;
    process.stderr.write(`${printableText(code in unreadable ? `${trail?.name}: ${unreadable[code]}` : message)}\n`);
  } finally {
    await trail?.close();
  }
}

function trailOfFile(file: string): Trail {
  return {
    name: file,
    record: new FileAuditTrail({ file }),
    verify: (expected) => verifyAuditTrail(file, expected === undefined ? {} : { expected }),
    close: async () => {},
  };
}

async function trailOfConfiguration(finish: Finish, file: string): Promise<Trail | undefined> {
  const loaded = await usableConfiguration(file);
  if (loaded === undefined) {
    finish(exitCodes.usageOrConfigurationWrong);
    return undefined;
  }
  const { configuration } = loaded;
  if (configuration.store === undefined) return trailOfFile(join(configuration.data, AUDIT_TRAIL_NAME));
  const [{ openStore }, { silentLog }] = await Promise.all([
    import('../../config/open-store.js'),
    import('../../lib/log/log.js'),
  ]);
  const shared = await openStore(configuration, silentLog);
  return (
    shared && {
      name: 'the audit trail in PostgreSQL',
      record: shared.audit({}),
      verify: (expected) => shared.verifyAudit(expected),
      close: () => shared.close(),
    }
  );
}

async function verifyTrail(finish: Finish, trail: Trail, { entry }: VerifyOptions): Promise<void> {
  const file = trail.name;
  const verified = await trail.verify(entry);
  if (verified.kind === 'broken') {
    finish(exitCodes.workFailed);
    const { line, reason, file: broken = file } = verified.fault;
    process.stderr.write(`${printableText(`${broken}:${line}: ${reason}`)}\n`);
    return;
  }
  const { entries, lastHash, lastTime, unfinished = [] } = verified;
  if (entries === 0) {
    process.stdout.write(`${printableText(file)}: 0 entries\n`);
    return;
  }
  const anchor = `${entries}:${lastHash}`;
  process.stdout.write(
    `${entries === 1 ? '1 entry' : `${entries} entries`}, unbroken, the last of ${lastTime}: ${anchor}\n` +
      'Keep it elsewhere to prove later that no entry up to it was removed or rewritten: sallyport audit verify --entry N:HASH\n',
  );
  for (const { sequence, time, who, what, subject } of unfinished) {
    process.stdout.write(
      `${printableText(`entry ${sequence} has no outcome: ${what}, ${subject}, by ${who}, ${time}`)}: it is in progress, or was interrupted; check if the change was made\n`,
    );
  }
}

function entryOf(text: string): ExpectedEntry {
  const [, sequence, hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (sequence !== undefined) return { sequence: Number(sequence), hash: hash.toLowerCase() };
  throw new InvalidArgumentError('expected N:HASH, a number from 1 and 64 hexadecimal digits.');
}
