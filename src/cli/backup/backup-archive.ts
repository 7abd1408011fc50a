import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { create, Parser, type ReadEntry } from 'tar';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import {
  type BackedUpFile,
  type BackupManifest,
  backupBounds,
  MANIFEST_NAME,
  manifestText,
  readManifest,
} from './backup-manifest.js';

/** Upper bound per file for header, padding and extended header of a long name. */
const MOST_OVERHEAD_BYTES = 8 * 1024;
/** Upper bound for the padding at the end of a tar archive. */
const MOST_PADDING_BYTES = 32 * 1024;

/** The archive is invalid. The message is shown to the user. */
export class UnusableArchiveError extends Error {
  override readonly name = 'UnusableArchiveError';
}

/** Packs the files of a manifest as a compressed tar archive (mode 0600). @returns SHA-256 of the archive */
export async function packBackup(folder: string, manifest: BackupManifest, archive: string): Promise<string> {
  await writeFile(join(folder, MANIFEST_NAME), manifestText(manifest), { mode: 0o600 });
  const names = [MANIFEST_NAME, ...manifest.files.map(({ path }) => path)];
  await create({ file: archive, cwd: folder, gzip: true, portable: true, strict: true, mode: 0o600 }, names);
  const handle = await open(archive, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hashOfFile(archive);
}

export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

interface UnpackOptions {
  /** Called with the manifest before any other file is unpacked. An error ends the work. */
  readonly check?: (manifest: BackupManifest) => Promise<void>;
}

/**
 * Unpacks an archive into a folder that no other process uses: exactly the files of its manifest, with matching hashes.
 * Never writes outside the folder, even for malicious archives.
 * @throws UnusableArchiveError
 */
export async function unpackBackup(
  archive: string,
  folder: string,
  { check = async () => {} }: UnpackOptions = {},
): Promise<BackupManifest> {
  const unpacking = new Unpacking(folder, check);
  const source = createReadStream(archive);
  const unpacked = createGunzip();
  try {
    // `pipeline` destroys both streams on an error, which the loop then throws
    pipeline(source, unpacked, () => {});
    for await (const chunk of unpacked) await unpacking.take(chunk as Buffer);
    return await unpacking.end();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!/^(Z_|TAR_|ERR_STREAM_PREMATURE)/.test(code)) throw error;
    throw new UnusableArchiveError(`it is damaged, or not a backup: ${message}`);
  } finally {
    source.destroy();
    unpacked.destroy();
    await unpacking.close();
  }
}

type Found =
  | { readonly kind: 'entry'; readonly entry: ReadEntry }
  | { readonly kind: 'content'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

interface OpenFile extends BackedUpFile {
  readonly handle: FileHandle;
  readonly hash: Hash;
}

class Unpacking {
  readonly #folder: string;
  readonly #check: (manifest: BackupManifest) => Promise<void>;
  readonly #parser: Parser;
  #found: Found[] = [];
  #fault: unknown;
  #bytes = 0;
  /** Limit for unpacked bytes; increases with the sizes in the manifest. */
  #mostBytes = MOST_PADDING_BYTES;
  #manifestChunks: Buffer[] | undefined;
  #manifest: BackupManifest | undefined;
  #taken = 0;
  #file: OpenFile | undefined;

  constructor(folder: string, check: (manifest: BackupManifest) => Promise<void>) {
    this.#folder = folder;
    this.#check = check;
    // the parser emits all events synchronously during writes if entries are consumed immediately
    this.#parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        this.#found.push({ kind: 'entry', entry });
        entry.on('data', (bytes) => this.#found.push({ kind: 'content', bytes }));
        entry.on('end', () => this.#found.push({ kind: 'end' }));
      },
    });
    this.#parser.on('error', (error) => {
      this.#fault ??= error;
    });
  }

  async take(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    this.#parser.write(chunk);
    await this.#takeFound();
    if (this.#bytes > this.#mostBytes)
      throw new UnusableArchiveError('its unpacked size exceeds the size in its manifest');
  }

  async end(): Promise<BackupManifest> {
    this.#parser.end();
    await this.#takeFound();
    if (this.#manifest === undefined) throw new UnusableArchiveError('it is empty');
    const missing = this.#file ?? this.#manifest.files[this.#taken];
    if (missing !== undefined) throw new UnusableArchiveError(`its file ${JSON.stringify(missing.path)} is missing`);
    return this.#manifest;
  }

  async close(): Promise<void> {
    await this.#file?.handle.close();
    this.#file = undefined;
  }

  async #takeFound(): Promise<void> {
    const all = this.#found;
    this.#found = [];
    for (const found of all) {
      if (found.kind === 'entry') await this.#begin(found.entry);
      else if (found.kind === 'content') await this.#content(found.bytes);
      else await this.#finish();
    }
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #begin(entry: ReadEntry): Promise<void> {
    const name = JSON.stringify(entry.path.slice(0, 100));
    if (entry.type !== 'File' && entry.type !== 'OldFile') {
      throw new UnusableArchiveError(`its entry ${name} is rejected: it is not a file (${entry.type})`);
    }
    if (this.#manifest === undefined) {
      if (entry.path !== MANIFEST_NAME) {
        throw new UnusableArchiveError(`it is not a backup: it begins with ${name}, not with ${MANIFEST_NAME}`);
      }
      if (entry.size > backupBounds.manifestBytes) {
        throw new UnusableArchiveError(`its ${MANIFEST_NAME} has more than ${backupBounds.manifestBytes} bytes`);
      }
      this.#mostBytes += entry.size;
      this.#manifestChunks = [];
      return;
    }
    const expected = this.#manifest.files[this.#taken];
    if (expected === undefined || expected.path !== entry.path || expected.bytes !== entry.size) {
      throw new UnusableArchiveError(
        `its entry ${name} is rejected: its ${MANIFEST_NAME} lists another entry at this position`,
      );
    }
    this.#taken += 1;
    const place = join(this.#folder, expected.path);
    await makePrivateFolder(dirname(place));
    this.#file = { ...expected, handle: await open(place, 'wx', 0o600), hash: createHash('sha256') };
  }

  async #content(bytes: Buffer): Promise<void> {
    this.#manifestChunks?.push(bytes);
    this.#file?.hash.update(bytes);
    await this.#file?.handle.writeFile(bytes);
  }

  async #finish(): Promise<void> {
    if (this.#manifestChunks !== undefined) {
      const read = readManifest(Buffer.concat(this.#manifestChunks).toString());
      this.#manifestChunks = undefined;
      if (read.kind === 'fault') throw new UnusableArchiveError(read.fault);
      for (const { bytes } of read.value.files) this.#mostBytes += bytes + MOST_OVERHEAD_BYTES;
      await this.#check(read.value);
      this.#manifest = read.value;
      return;
    }
    const file = this.#file;
    if (file === undefined) return;
    await file.handle.chmod(file.mode);
    await file.handle.sync();
    await this.close();
    if (file.hash.digest('hex') !== file.sha256) {
      throw new UnusableArchiveError(`its file ${JSON.stringify(file.path)} is damaged: its SHA-256 does not match`);
    }
  }
}
