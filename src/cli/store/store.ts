import { Command, Option } from 'commander';
import type { MigrationOutcome } from '../../cluster/postgresql/migrate.js';
import { ServiceError } from '../../lib/errors.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { messageOf } from '../../lib/text/messages.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption } from '../options.js';
import { printableText } from '../output.js';
import type { Place } from './copy-stores.js';

interface MigrateOptions {
  readonly config?: string;
  readonly url?: string;
  readonly role?: string;
}

interface CopyOptions {
  readonly config?: string;
  readonly from: Place;
  readonly to: Place;
}

export function storeCommand(finish: Finish): Command {
  const command = new Command('store').description('the database that several servers share');
  command
    .command('migrate')
    .description('create the tables of store.postgresql, or migrate them to the version of this Sallyport')
    .option(...configOption)
    .option(
      '--url <url>',
      'the same database as another role: postgres://OWNER@HOST/DATABASE; its password: PGPASSWORD',
    )
    .option('--role <name>', 'role of the servers, which is granted the necessary permissions')
    .addHelpText('after', migrateHelp)
    .action((options: MigrateOptions) => migrateStore(finish, options));
  command
    .command('copy')
    .description('copy what servers keep from files into store.postgresql, or back, and compare it row by row')
    .addOption(
      new Option('--from <place>', 'source of the copy').choices(['files', 'postgresql']).makeOptionMandatory(),
    )
    .addOption(
      new Option('--to <place>', 'target of the copy; it must be empty')
        .choices(['files', 'postgresql'])
        .makeOptionMandatory(),
    )
    .option(...configOption)
    .addHelpText('after', copyHelp)
    .action((options: CopyOptions) => copyStore(finish, options));
  return command;
}

const copyHelp = `
No server may be running on either side. Files are the ones that the configuration names beside its store. Sign-ons, directory keys and
counts of wrong passwords are not copied: without a database, they exist only in the memory of a server.

Examples:
  sallyport store copy --from files --to postgresql --config sallyport.yaml
  sallyport store copy --from postgresql --to files --config sallyport.yaml

Exit codes: 0 copied and verified, 1 failure, 2 invalid usage or configuration`;

async function copyStore(finish: Finish, { config, from, to }: CopyOptions): Promise<void> {
  const loaded = await usableConfiguration(configurationFile(config));
  if (loaded === undefined || from === to) {
    if (from === to) process.stderr.write('--from and --to are the same place.\n');
    finish(exitCodes.usageOrConfigurationWrong);
    return;
  }
  try {
    const { copyStores } = await import('./copy-stores.js');
    await copyStores(loaded.configuration, { from, to }, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    finish(exitCodes.workFailed);
    process.stderr.write(`Not copied: ${printableText(storeErrorText(error))}\n`);
  }
}

function storeErrorText(error: unknown): string {
  const detail = error instanceof ServiceError ? error.detail : undefined;
  return detail ?? messageOf(error);
}

const migrateHelp = `
The schema is "sallyport". Servers reject tables of another version. With --url, the owner of the tables migrates them, so that
the role of the servers needs no permission to change the tables themselves.

Examples:
  sallyport store migrate --config /etc/sallyport/sallyport.yaml
  PGPASSWORD=... sallyport store migrate --url postgres://owner@db.example/sallyport --role sallyport

Exit codes: 0 success, 1 failure, 2 invalid usage or configuration`;

async function migrateStore(finish: Finish, { config, url, role }: MigrateOptions): Promise<void> {
  const loaded = await usableConfiguration(configurationFile(config));
  const store = loaded?.configuration.store;
  if (store === undefined) {
    if (loaded !== undefined) process.stderr.write('The configuration has no store.postgresql.\n');
    finish(exitCodes.usageOrConfigurationWrong);
    return;
  }
  try {
    const [{ databaseOf }, { migrate }] = await Promise.all([
      import('../../config/open-store.js'),
      import('../../cluster/postgresql/migrate.js'),
    ]);
    const named = url === undefined ? store : { ...store, postgresql: url, password: { env: 'PGPASSWORD' } };
    process.stdout.write(outcomeText(await migrate(await databaseOf(named), role)));
  } catch (error) {
    finish(exitCodes.workFailed);
    const words = storeErrorText(error).replace(/^PostgreSQL: /, '');
    const hint = url === undefined && /^permission denied|must be owner/.test(words) ? ': --url names the owner' : '';
    process.stderr.write(`Not migrated: PostgreSQL: ${printableText(words)}${hint}\n`);
  }
}

function outcomeText({ before, after }: MigrationOutcome): string {
  return before === after ? `The schema already has version ${after}.\n` : `The schema has version ${after} now.\n`;
}
