import { access, chmod, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { foldedName } from '../../access/users/security-name.js';
import type { UserStore } from '../../access/users/user-store.js';
import { installedVersion } from '../../config/installation.js';
import { type ExitCode, exitCodes, type Finish } from '../../lib/exit-codes.js';
import { usualFileMode } from '../../lib/files/private-path.js';
import { didYouMean } from '../../lib/text/nearest-name.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption } from '../options.js';
import { counted, printableText } from '../output.js';
import { DEFAULT_PORTAL, faultOfPair, readPortalAddress, type UploadPair } from './macro-arguments.js';
import { batchFile, shellFile, type UploadScript } from './macro-upload-script.js';

const MOST_NAMES_TOLD = 20;
const EXECUTABLE = 0o755;

interface GenerateOptions {
  readonly config?: string;
  readonly outputDir: string;
  readonly force?: true;
  readonly global?: true;
}

class GenerateError extends Error {
  override readonly name = 'GenerateError';
}

type Arguments = [group: string, write: string, server: string | undefined, groups: string, users: string];

/** The generator of specification 4.6. */
export function macroGenerateCommand(finish: Finish): Command {
  const command = new Command('generate')
    .description('list groups with their users, or write a batch file that uploads macros.json for each')
    .argument('[group]', 'name of a group, or ALL', 'ALL')
    .argument('[write]', 'Y: write macros.sh and macros.bat; N: only list the users', 'N')
    .argument('[server]', `portal line to upload to (default: ${DEFAULT_PORTAL})`)
    .argument('[groupdir]', 'local sub-directory of groups', 'usergroup')
    .argument('[userdir]', 'local sub-directory of users', 'user')
    .option(...configOption)
    .option('-o, --output-dir <dir>', 'folder for the generated files', '.')
    .option('--global', 'also upload global/macros.json')
    .option('--force', 'overwrite existing macros.sh and macros.bat')
    .addHelpText(
      'after',
      '\nUsers of several groups are listed with their default group, which is the first.' +
        '\n\nExamples:\n  sallyport macros generate\n  sallyport macros generate SALES Y portal.example.com:41001',
    );
  return command.action(async (...given: [...Arguments, GenerateOptions]) => {
    const [group, write, server, groupDirectory, userDirectory, options] = given;
    try {
      const wanted = checkedScript(server, groupDirectory, userDirectory, options);
      if (!/^[YN]$/i.test(write)) throw new GenerateError(`option 2 is Y or N, found "${write}"`);
      const only = group.toUpperCase() === 'ALL' ? undefined : group;
      const found = await readConfiguredUsers(only, options.config);
      if (found === undefined) return finish(exitCodes.usageOrConfigurationWrong);
      list(found, only);
      if (write.toUpperCase() === 'Y') finish(await writeFiles({ ...wanted, pairs: found.pairs }, options, server));
    } catch (error) {
      if (!(error instanceof GenerateError)) throw error;
      return command.error(`error: ${printableText(error.message)}`);
    }
  });
}

type WantedScript = Omit<UploadScript, 'pairs' | 'command'>;

function checkedScript(
  server = DEFAULT_PORTAL,
  groupDirectory: string,
  userDirectory: string,
  options: GenerateOptions,
): WantedScript {
  const root = readPortalAddress(server);
  if (root.kind === 'fault') throw new GenerateError(root.fault);
  for (const folder of [groupDirectory, userDirectory]) {
    if (folder === '' || /["\p{Cc}]/u.test(folder)) {
      throw new GenerateError(`a sub-directory is empty, or has a quotation mark or a control character: "${folder}"`);
    }
  }
  const origin = `sallyport ${installedVersion()} macros generate`;
  return { global: options.global === true, server, groupDirectory, userDirectory, origin };
}

async function readConfiguredUsers(only: string | undefined, named: string | undefined) {
  const loaded = await usableConfiguration(configurationFile(named));
  if (loaded === undefined) return undefined;
  const { openUsers } = await import('../../config/open-users.js');
  const { database, close } = await wordsFor(openUsers(loaded.configuration));
  try {
    return await wordsFor(readUsers(database, only));
  } finally {
    await close();
  }
}

async function readUsers(database: UserStore, only: string | undefined): Promise<UserGroups> {
  const found = await readUserGroups(database, only);
  const fault = found?.pairs.map(faultOfPair).find((words) => words !== undefined);
  if (fault !== undefined) throw new GenerateError(fault);
  if (found !== undefined) return found;
  const guess = didYouMean(only ?? '', await database.groups());
  throw new GenerateError(`the security database has no group ${only}${guess}`);
}

async function wordsFor<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof GenerateError) throw error;
    throw new GenerateError(`the security database cannot be read: ${(error as Error).message}`);
  }
}

/** Prints pairs to standard output in the format of `macros upload --list`, and remarks to standard error. */
function list(
  { pairs, usersWithoutGroup, groupsWithoutUser, membersElsewhere }: UserGroups,
  only: string | undefined,
): void {
  process.stdout.write(pairs.map(({ group, user }) => `${group} ${user}\n`).join(''));
  if (pairs.length === 0) {
    const none =
      only === undefined ? 'No user belongs to a group' : `No user has ${printableText(only)} as default group`;
    process.stderr.write(`${none}: nothing to upload.\n`);
  }
  const omitted = [
    ['they have another default group', membersElsewhere.map(({ group, user }) => `${user} (${group})`)],
    ['they belong to no group', usersWithoutGroup],
    ['no user has them as the default group', only === undefined ? groupsWithoutUser : []],
  ] as const;
  for (const [reason, names] of omitted) {
    if (names.length > 0) process.stderr.write(`Omitted, because ${reason} (${names.length}): ${told(names)}\n`);
  }
}

function told(names: readonly string[]): string {
  const more = names.length > MOST_NAMES_TOLD ? ` and ${names.length - MOST_NAMES_TOLD} more` : '';
  return printableText(names.slice(0, MOST_NAMES_TOLD).join(' ')) + more;
}

async function writeFiles(
  wanted: Omit<UploadScript, 'command'>,
  { outputDir, force }: GenerateOptions,
  server: string | undefined,
): Promise<ExitCode> {
  if (wanted.pairs.length === 0) return exitCodes.workFailed;
  const ownCommand = [process.execPath, await realpath(process.argv[1] ?? 'sallyport')];
  const onWindows = process.platform === 'win32';
  // node and folder of this machine do not exist on the other system
  const files = new Map([
    ['macros.sh', shellFile({ ...wanted, command: onWindows ? ['sallyport'] : ownCommand })],
    ['macros.bat', batchFile({ ...wanted, command: onWindows ? ownCommand : ['sallyport'] })],
  ]);
  const paths = [...files].map(([name, text]) => [join(outputDir, name), text] as const);
  if (!force) for (const [path] of paths) await refuseExisting(path);
  for (const [path, text] of paths) {
    try {
      await rm(path, { force: true });
      const isExecutable = path.endsWith('.sh');
      await writeFile(path, text, { flag: 'wx', mode: usualFileMode() });
      // executable as far as the umask allows
      if (isExecutable) await chmod(path, EXECUTABLE & (usualFileMode() | 0o111));
    } catch (error) {
      throw new GenerateError(`${path} cannot be written: ${(error as Error).message}`);
    }
  }
  const defaulted = server === undefined ? ' (the default)' : '';
  process.stderr.write(
    `Written: ${paths.map(([path]) => printableText(path)).join(' and ')}, ` +
      `for ${counted(wanted.pairs.length, 'user')}, to ${wanted.server}${defaulted}\n`,
  );
  return exitCodes.fine;
}

async function refuseExisting(path: string): Promise<void> {
  try {
    await access(path);
  } catch {
    return;
  }
  throw new GenerateError(`${path} already exists; use --force to overwrite it`);
}

interface UserGroups {
  /** Sorted by group, then by user. */
  readonly pairs: readonly UploadPair[];
  readonly usersWithoutGroup: readonly string[];
  /** Groups that are not the default group of a user: no call would upload their file. */
  readonly groupsWithoutUser: readonly string[];
  readonly membersElsewhere: readonly UploadPair[];
}

/** Default group is the first in a user's list. @returns undefined if the group `only` does not exist */
async function readUserGroups(database: UserStore, only?: string): Promise<UserGroups | undefined> {
  const group = only === undefined ? undefined : await database.findGroup(only);
  if (only !== undefined && group === undefined) return undefined;
  const members = new Map<string, { readonly name: string; readonly users: string[] }>();
  for (const name of group === undefined ? await database.groups() : [group]) {
    members.set(foldedName(name), { name, users: [] });
  }
  const usersWithoutGroup: string[] = [];
  const membersElsewhere: UploadPair[] = [];
  for (const { name, groups } of await database.users()) {
    const [first] = groups;
    if (first === undefined) usersWithoutGroup.push(name);
    else if (members.has(foldedName(first))) members.get(foldedName(first))?.users.push(name);
    else if (group === undefined) members.set(foldedName(first), { name: first, users: [name] });
    else if (groups.some((one) => foldedName(one) === foldedName(group)))
      membersElsewhere.push({ group: first, user: name });
  }
  const found = [...members.values()];
  return {
    pairs: found.flatMap(({ name, users }) => users.map((user) => ({ group: name, user }))),
    usersWithoutGroup: group === undefined ? usersWithoutGroup : [],
    groupsWithoutUser: found.filter(({ users }) => users.length === 0).map(({ name }) => name),
    membersElsewhere,
  };
}
