import { Command, InvalidArgumentError, Option } from 'commander';
import {
  DEFAULT_TOKEN_DAYS,
  type ListedToken,
  LONGEST_TOKEN_DAYS,
  MOST_SCOPES,
  scopeRule,
} from '../../access/tokens/token-administration.js';
import { MOST_TOKENS } from '../../access/tokens/token-store.js';
import type { Finish } from '../../lib/exit-codes.js';
import { NoAnswerError } from '../ask.js';
import { collected } from '../options.js';
import { type ConfigurationOption, securityCommand, withSecurity } from './security-work.js';
import { confirm, say } from './user.js';

interface AddOptions extends ConfigurationOption {
  readonly scope: readonly string[];
  readonly expires: number;
}

export function tokenCommand(finish: Finish): Command {
  const command = new Command('token').addHelpText('after', help);
  const subcommand = (name: string) => securityCommand(command.command(name));
  subcommand('add')
    .description('add a token; it is printed only once')
    .argument('<name>', 'name of the token')
    .addOption(
      new Option('--scope <scope>', `permitted use: ${scopeRule}; may be repeated`)
        .argParser(collected)
        .default([], 'none'),
    )
    .option('--expires <time>', `lifetime in days: 1d to ${LONGEST_TOKEN_DAYS}d`, daysOf, DEFAULT_TOKEN_DAYS)
    .action((name: string, options: AddOptions) =>
      withSecurity(finish, options, async ({ tokens, actor }) => {
        if (options.scope.length === 0) throw new NoAnswerError(`expected --scope: ${scopeRule}`);
        const token = await tokens.add(actor, { name, scopes: options.scope, days: options.expires });
        process.stderr.write(`Token ${name} added. It is shown only once:\n`);
        say(token);
      }),
    );
  subcommand('list')
    .description('list all tokens: scopes, expiry, last use; the tokens themselves are not stored')
    .option('--json', 'one JSON object per line', false)
    .action((options: ConfigurationOption & { readonly json: boolean }) =>
      withSecurity(finish, options, async ({ tokens }) => {
        const all = await tokens.list();
        if (all.length === 0) process.stderr.write('There are no tokens yet: sallyport token add NAME --scope SCOPE\n');
        for (const token of all) say(options.json ? jsonOf(token) : lineOf(token));
      }),
    );
  subcommand('revoke')
    .description('revoke a token; a running server rejects it immediately')
    .argument('<name>', 'its name')
    .option('--yes', 'do not ask for confirmation', false)
    .action((name: string, options: ConfigurationOption & { readonly yes: boolean }) =>
      withSecurity(finish, options, async ({ tokens, actor }) => {
        if (!options.yes) await confirm(`Revoke token ${name}? (yes/no) `);
        await tokens.revoke(actor, name);
        say(`Token ${name} revoked.`);
      }),
    );
  return command;
}

const help = `
Programs send a token as "Authorization: Bearer TOKEN", never in a URL. Only its hash is stored. Scopes:
  services             all services of the entry points that have any
  services:NAME        one service
  sessions             host sessions over HTTP
  screens              in addition, the screen in the answer to a failed call
  operation            sallyport admin: lines and sessions of the running server, at its portal line
  tracing              in addition, traces of sessions, which show everything that users see and type
At most ${MOST_SCOPES} scopes each, and ${MOST_TOKENS} tokens. Changes take effect immediately, even while a server is running. Each is recorded in the audit trail.

Examples:
  sallyport token add billing --scope services:account-inquiry --expires 90d
  sallyport token add night-run --scope services --scope sessions --scope screens --config my.yaml
  sallyport token list
  sallyport token revoke billing --yes

Exit codes: 0 success, 1 rejected, 2 invalid usage or configuration`;

function daysOf(text: string): number {
  const days = Number(/^([1-9]\d{0,3})d$/.exec(text)?.[1]);
  if (days <= LONGEST_TOKEN_DAYS) return days;
  throw new InvalidArgumentError(`expected 1d to ${LONGEST_TOKEN_DAYS}d.`);
}

function jsonOf({ name, scopes, created, expires, lastUsed }: ListedToken): string {
  return JSON.stringify({ name, scopes, created, expires, lastUsed });
}

function lineOf({ name, scopes, expires, lastUsed, isExpired }: ListedToken): string {
  const state = isExpired ? 'expired' : 'until';
  const used = lastUsed === undefined ? 'never used' : `last used ${lastUsed}`;
  return `${name.padEnd(20)} ${scopes.join(',').padEnd(30)} ${state} ${expires}, ${used}`;
}
