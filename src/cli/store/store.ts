import { Command } from 'commander';
import { ServiceError } from '../../errors.js';
import type { MigrationOutcome } from '../../postgresql/migrate.js';
import { configurationFile } from '../configuration-file.js';
import { exitCodes, type Finish } from '../exit-codes.js';
import { printableText } from '../printable-text.js';
import { usableConfiguration } from '../serve/usable-configuration.js';

interface MigrateOptions {
  readonly config?: string;
  readonly url?: string;
  readonly role?: string;
}

export function storeCommand(finish: Finish): Command {
  const command = new Command('store').description('the database that several servers share');
  command
    .command('migrate')
    .description('make the tables of store.postgresql, or bring them to the version of this Sallyport')
    .option('-c, --config <file>', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .option(
      '--url <url>',
      'the same database as another role: postgres://OWNER@HOST/DATABASE; its password: PGPASSWORD',
    )
    .option('--role <name>', 'the role that servers have: it is granted what they need')
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError('(sallyport help store explains it)')
    .addHelpText('after', migrateHelp)
    .action((options: MigrateOptions) => migrateStore(finish, options));
  return command;
}

const migrateHelp = `
The schema is "sallyport". Servers refuse tables of another version. --url has an owner of the tables migrate them, so that
the role of the servers may change what they hold and nothing else.

Examples:
  sallyport store migrate --config /etc/sallyport/sallyport.yaml
  PGPASSWORD=... sallyport store migrate --url postgres://owner@db.example/sallyport --role sallyport

Exit codes: 0 done, 1 not done, 2 usage or configuration wrong`;

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
      import('../../postgresql/migrate.js'),
    ]);
    const named = url === undefined ? store : { ...store, postgresql: url, password: { env: 'PGPASSWORD' } };
    process.stdout.write(outcomeText(await migrate(await databaseOf(named), role)));
  } catch (error) {
    finish(exitCodes.workFailed);
    const words = error instanceof ServiceError ? error.detail : (error as Error).message;
    process.stderr.write(`${printableText(words ?? 'PostgreSQL cannot be reached')}\n`);
  }
}

function outcomeText({ before, after }: MigrationOutcome): string {
  return before === after ? `The schema has version ${after} already.\n` : `The schema has version ${after} now.\n`;
}
