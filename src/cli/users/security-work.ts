import type { Command } from 'commander';
import type { Actor } from '../../access/audit/audit-entry.js';
import type { OpenedUsers } from '../../config/open-users.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { NoAnswerError } from '../ask.js';
import { commandLineActor } from '../command-line-actor.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption } from '../options.js';
import { diskWords, printableText } from '../output.js';

export interface ConfigurationOption {
  readonly config?: string;
}

interface SecurityWork extends Omit<OpenedUsers, 'close' | 'audit'> {
  readonly actor: Actor;
}

export function securityCommand(command: Command): Command {
  return command.option(...configOption);
}

export async function withSecurity(
  finish: Finish,
  { config }: ConfigurationOption,
  work: (security: SecurityWork) => Promise<void>,
): Promise<void> {
  const loaded = await usableConfiguration(configurationFile(config));
  if (loaded === undefined) return finish(exitCodes.usageOrConfigurationWrong);
  const { configuration } = loaded;
  let opened: OpenedUsers | undefined;
  try {
    const { openUsers } = await import('../../config/open-users.js');
    opened = await openUsers(configuration, {
      onOutcomeLate: (error) =>
        process.stderr.write(
          `warning: the change was made, but its outcome could not be written to the audit trail: ${printableText(diskWords(error))}\n`,
        ),
    });
    await work({ ...opened, actor: commandLineActor() });
  } catch (error) {
    finish(error instanceof NoAnswerError ? exitCodes.usageOrConfigurationWrong : exitCodes.workFailed);
    process.stderr.write(`${printableText(diskWords(error))}\n`);
  } finally {
    await opened?.close();
  }
}
