import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { OpenedSecurityDatabase } from '../config/open-security-database.js';
import { ServiceError } from '../errors.js';
import { AUDIT_TRAIL_NAME, AuditTrail } from '../security/audit-trail.js';
import type { SecurityChange } from '../security/file-security-database.js';
import { NoAnswer } from './ask.js';
import { configurationFile } from './configuration-file.js';
import { exitCodes, type Finish } from './exit-codes.js';
import { printableText } from './printable-text.js';
import { usableConfiguration } from './usable-configuration.js';

export interface ConfigurationOption {
  readonly config?: string;
}

/** Users and groups of a configuration, and where changes of them are written down. */
export interface SecurityWork extends Omit<OpenedSecurityDatabase, 'close'> {
  /** @param what `user.added`, `group.removed` … */
  record(what: string, change: SecurityChange): Promise<void>;
}

/** Options and behaviour that all commands for users and groups have in common. */
export function securityCommand(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError(`(sallyport help ${command.parent?.name() ?? command.name()} explains it)`);
}

/** Opens the users and groups that a configuration names, and says in words what does not work. */
export async function withSecurity(
  finish: Finish,
  { config }: ConfigurationOption,
  work: (security: SecurityWork) => Promise<void>,
): Promise<void> {
  const loaded = await usableConfiguration(configurationFile(config));
  if (loaded === undefined) {
    finish(exitCodes.usageOrConfigurationWrong);
    return;
  }
  const { configuration } = loaded;
  let opened: OpenedSecurityDatabase | undefined;
  try {
    const { openSecurityDatabase } = await import('../config/open-security-database.js');
    opened = await openSecurityDatabase(configuration);
    const audit = new AuditTrail({ file: join(configuration.data, AUDIT_TRAIL_NAME) });
    await work({
      ...opened,
      record: (what, { before, after }) => {
        const subject = `${what.split('.')[0]} ${(after ?? before)?.name ?? ''}`;
        const who = `command line: ${operatingSystemUser()}`;
        return audit.append({ who, from: 'command line', what, subject, before, after });
      },
    });
  } catch (error) {
    finish(error instanceof NoAnswer ? exitCodes.usageOrConfigurationWrong : exitCodes.workFailed);
    process.stderr.write(`${printableText(wordsOf(error))}\n`);
  } finally {
    await opened?.close();
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof ServiceError && error.detail !== undefined) return error.detail;
  return error instanceof Error ? error.message : String(error);
}

function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
