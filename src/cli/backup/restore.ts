import { chown, lstat, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { AUDIT_TRAIL_NAME, FileAuditTrail } from '../../access/audit/file-audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { syncFolder } from '../../lib/files/replace-file.js';
import { commandLineActor } from '../command-line-actor.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { configOption } from '../options.js';
import { counted, diskWords, printableText } from '../output.js';
import { servingProcess } from '../serve/running-server.js';
import { hashOfFile, UnusableArchiveError, unpackBackup } from './backup-archive.js';
import { type BackupManifest, besides, type DataPlace, dataPlaces } from './backup-manifest.js';

interface RestoreOptions {
  readonly config?: string;
  readonly into?: string;
  readonly whileServing: boolean;
}

export function restoreCommand(finish: Finish): Command {
  return new Command('restore')
    .argument('<file>', 'archive created by sallyport backup')
    .option(...configOption)
    .option('--into <folder>', 'unpack into this folder, which must be new or empty, and replace nothing')
    .option('--while-serving', 'restore even if a server is running on the folder; restart it afterwards', false)
    .addHelpText(
      'after',
      '\nThe archive is unpacked beside the data folder and checked completely, file by file, before anything is replaced. The previous' +
        '\ndata is kept beside it, as NAME.before-TIME. The audit trail records the restore.' +
        '\n\nExamples:\n  sallyport restore /var/backups/sallyport-monday.tar.gz\n  sallyport restore sallyport.tar.gz --into /tmp/inspect' +
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
  process.stdout.write(`${printableText(folder)}: ${manifestText(manifest)}\n`);
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
          `it has the folders ${found}, but the configuration has ${expected}: users or macros are stored elsewhere. Use --into`,
        );
      }
      const [users] = places.filter(({ root }) => root === 'users');
      const stranger = manifest.files.find(({ path }) => path.startsWith('users/') && path !== users?.name);
      if (stranger !== undefined)
        throw new UnusableArchiveError(`it has ${stranger.path}, but the configuration stores users in ${users?.path}`);
      await checkRoom(manifest, folder);
    };
    const sha256 = await hashOfFile(file);
    const manifest = await unpackBackup(file, folder, { check });
    await makePrivateFolder(join(folder, 'data'));
    const audit = new FileAuditTrail({ file: join(folder, 'data', AUDIT_TRAIL_NAME) });
    const after = { made: manifest.made, version: manifest.version, files: manifest.files.length, sha256 };
    await audit.note({ ...commandLineActor(), what: 'data.restored', subject: basename(file), after });
    await keepOwner(data, folder);
    if (!whileServing) await refuseWhileServing(data);
    const kept = await putInPlace(places, folder);
    process.stdout.write(`${printableText(data)}: ${manifestText(manifest)}\n`);
    for (const place of kept) process.stdout.write(`The previous data is kept: ${printableText(place)}\n`);
    if (whileServing)
      process.stdout.write('Restart the server: until then, it uses the data from before the restore.\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function refuseWhileServing(data: string): Promise<void> {
  const pid = await servingProcess(data);
  if (pid === undefined) return;
  throw new Error(
    `process ${pid} is running with ${data}, and would continue with the data from before the restore. Stop it first, or use --while-serving and restart it`,
  );
}

async function checkRoom(manifest: BackupManifest, folder: string): Promise<void> {
  const needed = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (needed > free)
    throw new Error(`${counted(needed, 'byte')} are needed, but only ${free} are free beside the data folder`);
}

function manifestText({ files, made, version }: BackupManifest): string {
  return `${counted(files.length, 'file')} of the backup of ${made}, version ${version}; all SHA-256 checksums match`;
}

interface Exchange {
  readonly place: string;
  readonly kept: string;
  hadOld: boolean;
  hasNew: boolean;
}

/** Moves unpacked files to their places. On an error all places are restored. @returns paths of the previous files */
async function putInPlace(places: readonly DataPlace[], folder: string): Promise<readonly string[]> {
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const done: Exchange[] = [];
  try {
    for (const { path, name } of places) {
      const exchange: Exchange = { place: path, kept: `${path}.before-${time}`, hadOld: false, hasNew: false };
      done.push(exchange);
      await makePrivateFolder(dirname(path));
      if (await isThere(exchange.kept)) throw new Error(`${exchange.kept} already exists`);
      if (await isThere(path)) {
        await rename(path, exchange.kept);
        exchange.hadOld = true;
      }
      // a place that is not in the backup becomes empty
      if (!(await isThere(join(folder, name)))) continue;
      await rename(join(folder, name), path);
      exchange.hasNew = true;
    }
  } catch (error) {
    for (const { place, kept, hadOld, hasNew } of done.reverse()) {
      if (hasNew) await rename(place, join(folder, `undone-${basename(place)}`));
      if (hadOld) await rename(kept, place);
    }
    throw new Error(adviceOn(error as NodeJS.ErrnoException));
  }
  for (const { path } of places) await syncFolder(dirname(path));
  return done.filter(({ hadOld }) => hadOld).map(({ kept }) => kept);
}

/** Files restored by root get the owner of the old folder, so that the server can read them. */
async function keepOwner(of: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await lstat(of).catch(() => undefined);
  if (owner === undefined) return;
  await chown(folder, owner.uid, owner.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function adviceOn({ code = '', message, path }: NodeJS.ErrnoException): string {
  if (code !== 'EBUSY' && code !== 'EXDEV') return message;
  return `${path ?? message} cannot be renamed: it is a separate file system. Use --into, stop all servers, and move the unpacked files into place`;
}
