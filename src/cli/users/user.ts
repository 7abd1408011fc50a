import { Command, Option } from 'commander';
import type { UserRecord } from '../../access/users/editable-user-store.js';
import { checkPassword, passwordRule } from '../../access/users/password-rule.js';
import { isSecurityName, securityNameRule } from '../../access/users/security-name.js';
import { type Role, roles, type SecurityUser } from '../../access/users/user-store.js';
import type { Finish } from '../../lib/exit-codes.js';
import { ask, askHidden, NoAnswerError } from '../ask.js';
import { collected } from '../options.js';
import { printableText } from '../output.js';
import { type ConfigurationOption, securityCommand, withSecurity } from './security-work.js';

interface NewPasswordOption {
  readonly passwordStdin?: boolean;
}

const passwordStdinOption = ['--password-stdin', 'the password is the first line of standard input'] as const;

/**
 * Reads a new password: twice on a terminal, or one line of standard input. There is no option, because other users can
 * read command lines.
 * @throws NoAnswerError; ServiceError SVC_ERR_SECURITY_CHANGE if it is too short or too long
 */
async function newPassword(name: string, { passwordStdin = false }: NewPasswordOption): Promise<string> {
  if (!process.stdin.isTTY && !passwordStdin) {
    throw new NoAnswerError(
      'standard input is not a terminal: --password-stdin takes the password from its first line',
    );
  }
  const password = await askHidden(passwordStdin ? 'Password: ' : `New password of ${name} (${passwordRule}): `);
  checkPassword(password);
  if (!passwordStdin && (await askHidden('Repeat the password: ')) !== password) {
    throw new NoAnswerError('the two passwords differ; nothing was changed');
  }
  return password;
}

interface AddOptions extends ConfigurationOption, NewPasswordOption {
  readonly role: Role;
  readonly group: readonly string[];
  readonly expires?: string;
}

interface ChangeOptions extends ConfigurationOption {
  readonly role?: Role;
  readonly group?: readonly string[];
  readonly groups: boolean;
  readonly expires?: string | false;
}

export function userCommand(finish: Finish): Command {
  const command = new Command('user').addHelpText('after', help);
  const subcommand = (name: string) => securityCommand(command.command(name));
  subcommand('add')
    .description('add a user; you are asked for the password')
    .argument('<name>', 'user ID')
    .addOption(new Option('--role <role>', 'role of the user').choices(roles).default('user'))
    .addOption(
      new Option('--group <group>', 'a group, the first one is the default group; may be repeated')
        .argParser(collected)
        .default([], 'none'),
    )
    .option('--expires <day>', 'the last day the user may sign on, as YYYY-MM-DD')
    .option(...passwordStdinOption)
    .action((name: string, options: AddOptions) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        const { role, group: groups, expires } = options;
        if (!isSecurityName(name)) throw new NoAnswerError(`"${name}" is not a valid user ID: ${securityNameRule}`);
        await administration.checkFree(name);
        await administration.addUser(actor, { name, role, groups, expires }, await newPassword(name, options));
        say(`User ${name} added.`);
      }),
    );
  subcommand('passwd')
    .description('set the password of a user, and unlock the user; you are asked for the password')
    .argument('<name>', 'user ID')
    .option(...passwordStdinOption)
    .action((name: string, options: ConfigurationOption & NewPasswordOption) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        await administration.existing(name);
        await administration.setPassword(actor, name, await newPassword(name, options));
        say(`The password of ${name} is set. Sessions with the old password must sign on again.`);
      }),
    );
  subcommand('change')
    .description('change role, groups or expiry date of a user')
    .argument('<name>', 'user ID')
    .addOption(new Option('--role <role>', 'role of the user').choices(roles))
    .option(
      '--group <group>',
      'a group, replacing the current ones, the first one is the default group; may be repeated',
      collected,
    )
    .option('--no-groups', 'take the user out of all groups')
    .option('--expires <day>', 'the last day the user may sign on, as YYYY-MM-DD')
    .option('--no-expires', 'remove the expiry date')
    .action((name: string, options: ChangeOptions) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        const { role, group, groups, expires } = options;
        const change = {
          ...(role === undefined ? {} : { role }),
          ...(groups ? {} : { groups: [] }),
          ...(group === undefined ? {} : { groups: group }),
          ...(typeof expires === 'string' ? { expires } : {}),
          ...(expires === false ? { expires: undefined } : {}),
        };
        if (Object.keys(change).length === 0)
          throw new NoAnswerError('no change was specified: see sallyport user change --help');
        await administration.changeUser(actor, name, change);
        say(`User ${name} changed.`);
      }),
    );
  subcommand('unlock')
    .description('unlock a user who was locked after wrong passwords')
    .argument('<name>', 'user ID')
    .action((name: string, options: ConfigurationOption) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        const { name: found, locked } = await administration.existing(name);
        if (locked !== undefined) await administration.unlock(actor, found);
        say(`User ${found} ${locked === undefined ? 'was not locked' : 'is unlocked'}.`);
      }),
    );
  subcommand('remove')
    .description('remove a user; the macros are kept')
    .argument('<name>', 'user ID')
    .option('--yes', 'do not ask for confirmation', false)
    .action((name: string, options: ConfigurationOption & { readonly yes: boolean }) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        await administration.existing(name);
        if (!options.yes) await confirm(`Remove user ${name}? (yes/no) `);
        await administration.removeUser(actor, name);
        say(`User ${name} removed.`);
      }),
    );
  subcommand('list')
    .description('list all users, including those of a directory server')
    .option('--json', 'one JSON object per line', false)
    .action((options: ConfigurationOption & { readonly json: boolean }) =>
      withSecurity(finish, options, async ({ database, store }) => {
        const records = new Map((await store.records()).map((record) => [record.name, record]));
        const users = await database.users();
        if (users.length === 0) process.stderr.write('There are no users yet: sallyport user add NAME\n');
        for (const user of users) say(options.json ? jsonOf(user) : lineOf(user, records.get(user.name)));
      }),
    );
  return command;
}

const help = `
A user ID has ${securityNameRule}; a password has ${passwordRule}.
Changes take effect immediately, even while a server is running. Each is recorded in the audit trail: sallyport audit list

Examples:
  sallyport user add anna --group OPS
  sallyport user add root --role administrator --config my.yaml
  printf '%s\\n' "$password" | sallyport user passwd anna --password-stdin
  sallyport user change anna --group DEV --group OPS --expires 2027-06-30
  sallyport user unlock anna
  sallyport user remove anna --yes

Exit codes: 0 success, 1 rejected, 2 invalid usage or configuration`;

export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new NoAnswerError('standard input is not a terminal: use --yes to confirm');
  if (!/^y(es)?$/i.test((await ask(question)).trim())) throw new NoAnswerError('nothing was changed');
}

export function say(text: string): void {
  process.stdout.write(`${printableText(text)}\n`);
}

function jsonOf({ name, role, groups, endsAt }: SecurityUser): string {
  return JSON.stringify({
    name,
    role,
    groups,
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() }),
  });
}

function lineOf({ name, role, groups }: SecurityUser, record: UserRecord | undefined): string {
  const states = [
    record?.locked === undefined ? '' : `locked since ${record.locked}`,
    record?.isExpired === true ? 'expired' : '',
    record?.expires === undefined || record.isExpired ? '' : `until ${record.expires}`,
    record !== undefined && !record.hasPassword ? 'no password' : '',
  ].filter(Boolean);
  return [name.padEnd(20), role.padEnd(14), groups.join(',').padEnd(20), states.join(', ')].join(' ').trimEnd();
}
