import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

/** An entry of an archive, which may be anything. */
export interface ArchiveEntry {
  readonly path: string;
  readonly content: string;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'CharacterDevice';
  readonly linkpath?: string;
}

/** The manifest of a backup, as docs/run/operation.md describes it, that says that it has these files. */
export function manifestOf(files: readonly ArchiveEntry[]): ArchiveEntry {
  const content = JSON.stringify({
    format: 'sallyport-backup',
    formatVersion: 1,
    version: '0.1.0',
    made: '2027-01-01T00:00:00.000Z',
    roots: ['data'],
    files: files.map(({ path, content }) => ({
      path,
      bytes: Buffer.byteLength(content),
      mode: 0o600,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
  });
  return { path: 'manifest.json', content };
}

/** The entries as they are, and two blocks of zeros at the end. */
export function archiveOf(entries: readonly ArchiveEntry[], isCompressed = true): Buffer {
  const blocks: Buffer[] = [];
  for (const { path, content, type = 'File', linkpath } of entries) {
    const bytes = Buffer.from(content);
    const header = new Header({
      path,
      size: bytes.length,
      type,
      mode: 0o600,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : { linkpath }),
    });
    const block = Buffer.alloc(512);
    header.encode(block);
    blocks.push(block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
  }
  const whole = Buffer.concat([...blocks, ...(isCompressed ? [Buffer.alloc(1024)] : [])]);
  return isCompressed ? gzipSync(whole) : whole;
}
