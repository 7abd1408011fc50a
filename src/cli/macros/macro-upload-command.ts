import { appendFileSync } from 'node:fs';
import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { ask, askHidden, NoAnswerError } from '../ask.js';
import { timeoutOf } from '../options.js';
import { printableText } from '../output.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { readAuthorities, UsageError } from '../request/token-requests.js';
import { DEFAULT_PORTAL, faultOfPair, readPairs, readPortalAddress, type UploadPair } from './macro-arguments.js';
import { type Credentials, MacroPortal, UploadRecord } from './macro-portal.js';
import {
  findFileFaults,
  isBelow,
  type Progress,
  planUploads,
  printOutcomes,
  printReport,
  runUploads,
  type SendMacroFile,
  showProgress,
} from './macro-upload-run.js';

const DEFAULT_TIMEOUT_SECONDS = 30;
const LARGEST_LIST_BYTES = 16 * 1024 * 1024;

interface UploadCommandOptions {
  readonly list?: string;
  readonly base: string;
  readonly output: string;
  readonly passwordStdin?: true;
  readonly batch?: true;
  readonly ca?: string;
  readonly timeout: number;
}

const PASSWORD_ARGUMENT_WARNING =
  'warning: every user of this machine can read the password in the list of processes: use --password-stdin, or SALLYPORT_PASSWORD\n';

/** The reference upload client of specification 4.6. */
export function macroUploadCommand(finish: Finish): Command {
  const command = new Command('upload')
    .description('upload macros.json of a group and a user, or of many, to a portal line')
    .argument('[arguments...]', 'GROUP USER [Y|N [SERVER [GROUPDIR [USERDIR [ADMIN [[PASSWORD] FLAG]]]]]]')
    .option('--list <file>', 'upload for each line GROUP USER of the file (- is standard input); see below')
    .option('--base <dir>', 'folder of global, GROUPDIR and USERDIR', '.')
    .option('--output <file>', 'append a transcript to this file', 'output.txt')
    .option('--password-stdin', 'read the password from standard input, even on a terminal')
    .option('--batch', 'exit with 2 instead of 1 if every further call would fail, too')
    .option('--ca <file>', 'PEM file with additional certificate authorities, for https')
    .option('--timeout <seconds>', 'seconds to wait for each reply', timeoutOf, DEFAULT_TIMEOUT_SECONDS)
    .addHelpText('after', explanation);
  return command.action(async (words: string[], options: UploadCommandOptions) => {
    try {
      finish(await upload(words, options));
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof NoAnswerError)) throw error;
      return command.error(`error: ${printableText(error.message)}`);
    }
  });
}

const explanation = `
Arguments:
  GROUP, USER  the security group and the user id
  Y|N          Y: global/macros.json is uploaded, too (default: N)
  SERVER       HOST, HOST:PORT or https://HOST:PORT of a portal line (default: ${DEFAULT_PORTAL})
  GROUPDIR     sub-directory of groups: GROUPDIR/GROUP/macros.json, or else GROUPDIR/macros.json (default: usergroup)
  USERDIR      the same for users (default: user)
  ADMIN        user id of the administrator (default: you are asked)
  PASSWORD     of the administrator; everybody on this machine can read arguments, so leave it out
  FLAG         1: the file of the group has already been uploaded (default: 0)
With --list the arguments begin at Y|N, and each group is uploaded once.

The password is read from standard input with --password-stdin, or else from the variable SALLYPORT_PASSWORD if it is set.
Otherwise you are asked, or without a terminal it is read from standard input. You can also pass all nine arguments with the
password; this causes a warning, because every user of the machine can see them in the list of processes.

Exit codes: 0 all uploaded, 1 some failed, sign-on refused or server not reached, 2 invalid usage

Examples:
  sallyport macros upload SALES ANNA N 127.0.0.1:41001 usergroup user
  sallyport macros upload --list users.txt N https://portal.example.com`;

async function upload(words: readonly string[], options: UploadCommandOptions) {
  const call = readArguments(words, options);
  const pairs = call.pair === undefined ? await readList(options) : [call.pair];
  for (const folder of [call.groupDirectory, call.userDirectory]) {
    if (!isBelow(options.base, folder)) throw new UsageError(`${folder} is not below ${options.base}`);
  }
  const certificateAuthorities = readAuthorities(options.ca);
  const plan = await planUploads(pairs, { ...call, base: options.base, groups: !call.groupPosted });
  const fileFaults = await findFileFaults(plan);
  const progress = call.pair === undefined ? showProgress(plan.length) : printOutcomes();
  const nothing = fileFaults.size === plan.length;
  const send = nothing ? sendNothing : await openPortal(call, options, certificateAuthorities, progress);
  const report = await runUploads(plan, fileFaults, send, progress.step);
  if (call.pair === undefined) printReport(report, nothing ? undefined : options.output);
  if (report.stopped && options.batch) return exitCodes.usageOrConfigurationWrong;
  return report.failed.length > 0 ? exitCodes.workFailed : exitCodes.fine;
}

async function sendNothing(): Promise<void> {}

async function openPortal(
  { administrator, password, root }: UploadCall,
  options: UploadCommandOptions,
  certificateAuthorities: string | undefined,
  { tell }: Progress,
): Promise<SendMacroFile> {
  const credentials = await askCredentials(administrator, password, options);
  prepareOutput(options.output);
  const record = new UploadRecord(options.output, credentials);
  const timeoutMilliseconds = options.timeout * 1000;
  const portal = new MacroPortal({ root, credentials, record, timeoutMilliseconds, certificateAuthorities, tell });
  return (directory, file) => portal.upload(directory, file);
}

interface UploadCall {
  readonly pair: UploadPair | undefined;
  readonly global: boolean;
  readonly root: URL;
  readonly groupDirectory: string;
  readonly userDirectory: string;
  readonly administrator: string | undefined;
  readonly password: string | undefined;
  readonly groupPosted: boolean;
}

/** The positional arguments of specification 4.6. */
function readArguments(words: readonly string[], { list, passwordStdin }: UploadCommandOptions): UploadCall {
  const [group, user, ...others] = list === undefined ? words : [undefined, undefined, ...words];
  const [global = 'N', server = DEFAULT_PORTAL, groupDirectory = 'usergroup', userDirectory = 'user', ...last] = others;
  const [administrator, ...end] = last;
  // with two arguments, the first is the password; a single one may be a mistyped password and is never printed
  const [password, flag = '0', ...tooMany] = end.length < 2 ? [undefined, ...end] : end;
  if (list === undefined && (group === undefined || user === undefined)) {
    throw new UsageError('missing arguments: expected GROUP and USER, or --list FILE');
  }
  if (tooMany.length > 0) throw new UsageError('too many arguments: FLAG is the last');
  if (password !== undefined && passwordStdin)
    throw new UsageError('the password is given twice: with --password-stdin, and as an argument');
  const pair = group === undefined || user === undefined ? undefined : { group, user };
  const fault = pair && faultOfPair(pair);
  if (fault !== undefined) throw new UsageError(fault);
  if (!/^[YN]$/i.test(global)) throw new UsageError(`the global option is Y or N, found "${global}"`);
  if (flag !== '0' && flag !== '1') throw new UsageError('the flag is 0 or 1');
  if (administrator !== undefined) checkAdministrator(administrator);
  const root = readPortalAddress(server);
  if (root.kind === 'fault') throw new UsageError(root.fault);
  return {
    pair,
    global: global.toUpperCase() === 'Y',
    root: root.value,
    groupDirectory,
    userDirectory,
    administrator,
    password,
    groupPosted: flag === '1',
  };
}

function checkAdministrator(name: string): void {
  if (name === '' || /[:\p{Cc}]/u.test(name)) throw new UsageError('the user ID is empty, or contains a colon');
}

async function readList({ list = '', passwordStdin }: UploadCommandOptions): Promise<readonly UploadPair[]> {
  if (list === '-' && (passwordStdin || process.env.SALLYPORT_PASSWORD === undefined)) {
    throw new UsageError(
      'with --list - standard input is the list: set SALLYPORT_PASSWORD, or give the list as a file',
    );
  }
  let text: string;
  try {
    text = list === '-' ? await readStandardInput() : await readBoundedFile(list);
  } catch (error) {
    throw new UsageError(`--list: ${(error as Error).message}`);
  }
  const pairs = readPairs(text, list === '-' ? 'standard input' : list);
  if (pairs.kind === 'fault') throw new UsageError(`--list: ${pairs.fault}`);
  return pairs.value;
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LARGEST_LIST_BYTES) throw new Error(`more than ${LARGEST_LIST_BYTES} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function askCredentials(
  named: string | undefined,
  argument: string | undefined,
  options: UploadCommandOptions,
): Promise<Credentials> {
  if (options.list === '-' && named === undefined) throw new UsageError('with --list - ADMIN must be given');
  const administrator = named ?? (await ask('User ID of the administrator: '));
  checkAdministrator(administrator);
  if (argument !== undefined) process.stderr.write(PASSWORD_ARGUMENT_WARNING);
  const fromEnvironment = options.passwordStdin ? undefined : process.env.SALLYPORT_PASSWORD;
  const password = argument ?? fromEnvironment ?? (await askHidden('Password: '));
  if (password === '') throw new UsageError('the password is empty');
  return { administrator, password };
}

function prepareOutput(file: string): void {
  try {
    appendFileSync(file, '', { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`--output: ${file} cannot be written: ${(error as Error).message}`);
  }
}
