import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST_PIECE = Buffer.alloc(65_536, 1);

/** A disk of its own, that can be filled to the last byte. */
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

  /** @returns undefined where this machine does not let us have one */
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

  /** Even where whoever has just ended still stands in it. */
  remove(): void {
    spawnSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    rmSync(this.folder, { recursive: true });
  }

  get #ballast(): string {
    return join(this.folder, 'ballast');
  }
}
