import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { AUDIT_TRAIL_NAME, AuditTrail } from '../../access/audit/audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { counted } from '../check/print-diagnostics.js';
import { commandLineActor } from '../command-line-actor.js';
import { configurationFile } from '../configuration-file.js';
import { diskWords } from '../disk-words.js';
import { printableText } from '../printable-text.js';
import { servingProcess } from '../serve/running-server.js';
import { usableConfiguration } from '../serve/usable-configuration.js';
import { hashOfFile, UnusableArchiveError, unpackBackup } from './backup-archive.js';
import type { BackupManifest } from './backup-manifest.js';
import { besides, dataPlaces } from './data-places.js';
import { keepOwner, putInPlace } from './put-in-place.js';

interface RestoreOptions {
  readonly config?: string;
  readonly into?: string;
  readonly whileServing: boolean;
}

/** `sallyport restore FILE`: what a backup holds, in the place of what is there. */
export function restoreCommand(finish: Finish): Command {
  return new Command('restore')
    .argument('<file>', 'archive created by sallyport backup')
    .option('-c, --config <file>', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .option('--into <folder>', 'unpack into this folder, which must be new or empty, and replace nothing')
    .option('--while-serving', 'restore even if a server is running on the folder; restart it afterwards', false)
    .addHelpText(
      'after',
      '\nThe archive is unpacked beside the data folder and checked completely, file by file, before anything is replaced. The previous' +
        '\ndata is kept beside it, as NAME.before-TIME. The audit trail records the restore.' +
        '\n\nExamples:\n  sallyport restore /var/backups/sallyport-monday.tar.gz\n  sallyport restore sallyport.tar.gz --into /tmp/looked-at' +
        '\n\nExit codes: 0 success, 1 nothing was replaced, 2 invalid usage or configuration',
    )
    .action(async (file: string, options: RestoreOptions) => {
      try {
        if (options.into !== undefined) {
          await unpackInto(resolve(file), resolve(options.into));
          return;
        }
        const loaded = await usableConfiguration(configurationFile(options.config));
        if (loaded === undefined) finish(exitCodes.usageOrConfigurationWrong);
        else await restore(loaded.configuration, resolve(file), options.whileServing);
      } catch (error) {
        finish(exitCodes.workFailed);
        const words =
          error instanceof UnusableArchiveError ? `${file} is not used: ${error.message}` : diskWords(error);
        process.stderr.write(`Nothing was restored: ${printableText(words)}\n`);
      }
    });
}

async function unpackInto(file: string, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0) throw new Error(`${folder} is not empty`);
  await makePrivateFolder(folder);
  const manifest = await unpackBackup(file, folder, { check: (found) => checkRoom(found, folder) });
  process.stdout.write(`${printableText(folder)}: ${wordsOf(manifest)}\n`);
}

async function restore(configuration: Configuration, file: string, whileServing: boolean): Promise<void> {
  const { data } = configuration;
  if (!whileServing) await refuseWhileServing(data);
  const places = dataPlaces(configuration);
  const beside = dirname(data);
  await makePrivateFolder(beside);
  const folder = await mkdtemp(besides(data, 'restore-')).catch((error: Error) => {
    throw new Error(
      `${beside} must be writable, so that the old and the new folder can change places (or use --into): ${error.message}`,
    );
  });
  try {
    const check = async (manifest: BackupManifest) => {
      const expected = places.map(({ root }) => root).join(', ');
      const found = manifest.roots.join(', ');
      if (found !== expected) {
        throw new UnusableArchiveError(
          `it has the folders ${found}, and the configuration keeps ${expected}: users or macros are kept elsewhere. Use --into`,
        );
      }
      const [users] = places.filter(({ root }) => root === 'users');
      const stranger = manifest.files.find(({ path }) => path.startsWith('users/') && path !== users?.name);
      if (stranger !== undefined)
        throw new UnusableArchiveError(`it has ${stranger.path}, and users are in ${users?.path}`);
      await checkRoom(manifest, folder);
    };
    const sha256 = await hashOfFile(file);
    const manifest = await unpackBackup(file, folder, { check });
    await makePrivateFolder(join(folder, 'data'));
    const audit = new AuditTrail({ file: join(folder, 'data', AUDIT_TRAIL_NAME) });
    const after = { made: manifest.made, version: manifest.version, files: manifest.files.length, sha256 };
    await audit.note({ ...commandLineActor(), what: 'data.restored', subject: basename(file), after });
    await keepOwner(data, folder);
    if (!whileServing) await refuseWhileServing(data);
    const kept = await putInPlace(places, folder);
    process.stdout.write(`${printableText(data)}: ${wordsOf(manifest)}\n`);
    for (const place of kept) process.stdout.write(`What was there is kept: ${printableText(place)}\n`);
    if (whileServing) process.stdout.write('Start the server again: it goes on with what it has read before.\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function refuseWhileServing(data: string): Promise<void> {
  const pid = await servingProcess(data);
  if (pid === undefined) return;
  throw new Error(
    `process ${pid} serves with ${data}, and would go on with what it has read before. Stop it first, or use --while-serving and start it again`,
  );
}

async function checkRoom(manifest: BackupManifest, folder: string): Promise<void> {
  const needed = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (needed > free)
    throw new Error(`${counted(needed, 'byte')} are needed, and ${free} are free beside the data folder`);
}

function wordsOf({ files, made, version }: BackupManifest): string {
  return `${counted(files.length, 'file')} of the backup of ${made}, version ${version}; each has the SHA-256 that it had then`;
}
