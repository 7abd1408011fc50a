import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/files/private-path.js';
import { removeHalfWritten, replaceFile, writerMark } from '../lib/files/replace-file.js';

const MODE = 0o600;
/** After the printer's name: time, number and logical unit of the document, and machine and process that write it. */
const HALF_WRITTEN = /^-\d{8}-\d{6}-\d+(?:-[A-Za-z0-9@#$_-]+)?\.(?:pdf|txt|prn)(?:\.([0-9a-f]{8})-(\d{1,10}))?\.part$/;

export interface PrintedFile {
  readonly extension: 'pdf' | 'txt' | 'prn';
  readonly content: Buffer;
}

export class PrintedFolder {
  readonly #path: string;
  readonly #mostFiles: number;

  constructor(path: string, mostFiles: number) {
    this.#path = path;
    this.#mostFiles = mostFiles;
  }

  /**
   * Removes incomplete files that a killed process left for a printer. Call before the printer starts. Keeps files that
   * another process is writing, files of other users and files with other names.
   * @returns names of the removed files
   */
  removeHalfWritten(printer: string): Promise<readonly string[]> {
    return removeHalfWritten(this.#path, (name) => {
      const found = name.startsWith(printer) ? HALF_WRITTEN.exec(name.slice(printer.length)) : null;
      return found === null ? undefined : { machine: found[1], process: found[2] };
    });
  }

  /** Files get their final names when complete. @throws Error if writing fails or the folder contains too many files */
  async write(name: string, files: readonly PrintedFile[]): Promise<void> {
    await makePrivateFolder(this.#path);
    const { length } = await readdir(this.#path);
    if (length + files.length > this.#mostFiles)
      throw new Error(`${this.#path} has ${length} files; the maximum is ${this.#mostFiles}. Remove some`);
    for (const { extension, content } of files) {
      const path = join(this.#path, `${name}.${extension}`);
      await replaceFile(path, content, MODE, `${path}.${writerMark()}.part`);
    }
  }
}
