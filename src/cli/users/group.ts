import { Command } from 'commander';
import type { Finish } from '../../lib/exit-codes.js';
import { counted } from '../output.js';
import { type ConfigurationOption, securityCommand, withSecurity } from './security-work.js';
import { confirm, say } from './user.js';

export function groupCommand(finish: Finish): Command {
  const command = new Command('group').addHelpText('after', help);
  const subcommand = (name: string) => securityCommand(command.command(name));
  subcommand('add')
    .description('add a group')
    .argument('<name>', 'name of the group')
    .action((name: string, options: ConfigurationOption) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        await administration.addGroup(actor, name);
        say(`Group ${name} added.`);
      }),
    );
  subcommand('remove')
    .description('remove a group without users; its macros are kept')
    .argument('<name>', 'name of the group')
    .option('--yes', 'do not ask for confirmation', false)
    .action((name: string, options: ConfigurationOption & { readonly yes: boolean }) =>
      withSecurity(finish, options, async ({ administration, actor }) => {
        if (!options.yes) await confirm(`Remove group ${name}? (yes/no) `);
        await administration.removeGroup(actor, name);
        say(`Group ${name} removed.`);
      }),
    );
  subcommand('list')
    .description('list all groups with their number of users')
    .action((options: ConfigurationOption) =>
      withSecurity(finish, options, async ({ database }) => {
        const users = await database.users();
        for (const group of await database.groups()) {
          const members = users.filter(({ groups }) => groups.includes(group)).length;
          say(`${group.padEnd(20)} ${counted(members, 'user')}`);
        }
      }),
    );
  return command;
}

const help = `
Examples:
  sallyport group add OPS
  sallyport group list --config my.yaml
  sallyport group remove OPS --yes

Exit codes: 0 success, 1 rejected, 2 invalid usage or configuration`;
