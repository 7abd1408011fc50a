import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../private-path.js';
import { replaceFile } from '../security/replace-file.js';

const MODE = 0o600;

export interface PrintedFile {
  readonly extension: 'pdf' | 'txt' | 'prn';
  readonly content: Buffer;
}

/** A folder that other programs take documents from. */
export class PrintedFolder {
  readonly #path: string;
  readonly #mostFiles: number;

  constructor(path: string, mostFiles: number) {
    this.#path = path;
    this.#mostFiles = mostFiles;
  }

  /**
   * Writes the files of a document; none has its final name before it is whole.
   * @throws Error where it cannot be written, or nobody takes the files away
   */
  async write(name: string, files: readonly PrintedFile[]): Promise<void> {
    await makePrivateFolder(this.#path);
    const { length } = await readdir(this.#path);
    if (length + files.length > this.#mostFiles)
      throw new Error(`${this.#path} has ${length} files, of ${this.#mostFiles} that it may have: take some away`);
    for (const { extension, content } of files) {
      const path = join(this.#path, `${name}.${extension}`);
      await replaceFile(path, content, MODE, `${path}.part`);
    }
  }
}
