import { expect } from 'chai';
import type { MacroDirectory } from '../../src/macros/macro-directory.js';
import type { MacroStore } from '../../src/macros/macro-store.js';
import { uploadNumber } from './upload-text.js';

/** Numbers of versions and of the uploads they are, the newest first, `*` at the current one. */
export async function listedVersions(store: MacroStore, directory: MacroDirectory): Promise<string[]> {
  return Promise.all(
    (await store.versions(directory)).map(async ({ number, current, size, etag, modified }) => {
      const stored = await store.readVersion(directory, number);
      if (stored === undefined) throw new Error(`version ${number} is listed and is not there`);
      expect([stored.bytes.length, stored.etag, stored.modified]).to.deep.equal([size, etag, modified]);
      return `${number}:${uploadNumber(stored.bytes)}${current ? '*' : ''}`;
    }),
  );
}
