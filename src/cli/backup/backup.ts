import { access, constants, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { verifyAuditTrail } from '../../access/audit/audit-verification.js';
import { AUDIT_TRAIL_NAME, FileAuditTrail } from '../../access/audit/file-audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import { refuseUnfinishedCopy } from '../../config/open-store.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { syncFolder } from '../../lib/files/replace-file.js';
import { isFileThere } from '../../s3270/program/transferred-file.js';
import { commandLineActor } from '../command-line-actor.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption } from '../options.js';
import { counted, diskWords, printableText } from '../output.js';
import { packBackup } from './backup-archive.js';
import { dataPlaces } from './backup-manifest.js';
import { snapshotData } from './data-snapshot.js';

export function backupCommand(finish: Finish): Command {
  return new Command('backup')
    .argument('<file>', 'archive to create: a compressed tar file, for example sallyport.tar.gz')
    .option(...configOption)
    .addHelpText(
      'after',
      '\nThe archive contains the data folder: users, tokens, macros, settings, drafts, stored answers to repeated requests, and the audit' +
        '\ntrail, including users and macros that the configuration keeps elsewhere. It does not contain the configuration itself or the' +
        '\nfolders of templates, scenarios and services. The server may be running. Keep the archive as safe as the data folder.' +
        '\n\nExamples:\n  sallyport backup /var/backups/sallyport-monday.tar.gz\n  sallyport backup --config my.yaml sallyport.tar.gz' +
        '\n\nExit codes: 0 success, 1 no archive was created, 2 invalid usage or configuration',
    )
    .action(async (file: string, { config }: { readonly config?: string }) => {
      const loaded = await usableConfiguration(configurationFile(config));
      if (loaded === undefined) return finish(exitCodes.usageOrConfigurationWrong);
      try {
        await backUp(loaded.configuration, resolve(file));
      } catch (error) {
        finish(exitCodes.workFailed);
        process.stderr.write(`No backup was created: ${printableText(diskWords(error))}\n`);
      }
    });
}

async function backUp(configuration: Configuration, file: string): Promise<void> {
  if (configuration.store !== undefined) {
    throw new Error(
      'users, macros and the audit trail are in PostgreSQL (store); back up the database, for example with pg_dump',
    );
  }
  if (await isFileThere(file)) throw new Error(`${file} already exists`);
  if (!(await isFileThere(dirname(file)))) throw new Error(`there is no folder ${dirname(file)}`);
  for (const { path, root } of dataPlaces(configuration)) {
    if (root !== 'users' && `${file}/`.startsWith(`${path}/`))
      throw new Error(`${file} is in ${path}, which is part of the backup`);
  }
  if (!(await isFileThere(configuration.data))) throw new Error(`${configuration.data}: the folder does not exist yet`);
  await refuseUnfinishedCopy(configuration);
  const isReadOnly = await isReadOnlyFolder(configuration.data);
  const folder = await mkdtemp(join(dirname(file), `.${basename(file)}.`));
  try {
    const made = new Date().toISOString();
    const files = await snapshotData(configuration, folder, {
      isReadOnly,
      onLeftOut: (place) => warn(`${place} is skipped: it is not a regular file`),
    });
    const trail = await trailWords(join(folder, 'data', AUDIT_TRAIL_NAME));
    const archive = join(folder, 'archive');
    const roots = dataPlaces(configuration).map(({ root }) => root);
    const sha256 = await packBackup(folder, { version: installedVersion(), made, roots, files }, archive);
    if (isReadOnly) warn(`${configuration.data} is read-only: the backup is not recorded in its audit trail`);
    else {
      const audit = new FileAuditTrail({ file: join(configuration.data, AUDIT_TRAIL_NAME) });
      const after = { files: files.length, sha256 };
      await audit.note({ ...commandLineActor(), what: 'data.backedUp', subject: basename(file), after });
    }
    await rename(archive, file);
    await syncFolder(dirname(file));
    const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
    process.stdout.write(
      `${printableText(file)}: ${counted(files.length, 'file')}, ${counted(bytes, 'byte')} before compression, SHA-256 ${sha256}\n${trail}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Describes the audit trail in the archive. A broken trail is backed up unchanged. */
async function trailWords(file: string): Promise<string> {
  const verified = await verifyAuditTrail(file);
  if (verified.kind === 'broken') {
    return `warning: the audit trail is broken at line ${verified.fault.line}: ${printableText(verified.fault.reason)}\n`;
  }
  const { entries, lastHash } = verified;
  return entries === 0 ? '' : `The audit trail in the backup is unbroken: ${entries}:${lastHash}\n`;
}

/** True for a read-only file system. @throws Error if only this user lacks write permission */
async function isReadOnlyFolder(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return true;
    if (code !== 'EACCES') throw error;
    throw new Error(
      `${folder}: no permission to write there. A backup pauses servers for a moment and is recorded in the audit trail` +
        ': run it as the user of the server',
    );
  }
}

function warn(words: string): void {
  process.stderr.write(`warning: ${printableText(words)}\n`);
}
