import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST_PIECE = Buffer.alloc(65_536, 1);

/** A separate file system that can be filled completely. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-disk-'));

  constructor(mebibytes: number) {
    try {
      const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', this.folder];
      execFileSync('mount', options, { stdio: 'ignore' });
    } catch (error) {
      rmdirSync(this.folder);
      throw error;
    }
  }

  /** @returns undefined if this machine does not allow mounting */
  static ifAllowed(mebibytes: number): SmallDisk | undefined {
    try {
      return new SmallDisk(mebibytes);
    } catch {
      return undefined;
    }
  }

  fill(): void {
    const file = openSync(this.#ballast, 'w');
    try {
      for (;;) if (writeSync(file, BALLAST_PIECE) < BALLAST_PIECE.length) return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Lazy unmount: an exiting process may still use it. */
  remove(): void {
    spawnSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    rmSync(this.folder, { recursive: true });
  }

  get #ballast(): string {
    return join(this.folder, 'ballast');
  }
}
