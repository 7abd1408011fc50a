import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileMacroStore } from '../../src/macros/file-macro-store.js';
import { MemoryDirectoryKeyStore } from '../../src/macros/memory-directory-key-store.js';
import { directoryKeyStoreContract } from './contract/directory-key-store-contract.js';
import { macroStoreContract } from './contract/macro-store-contract.js';

macroStoreContract('the folder of macros', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-contract-'));
  const store = new FileMacroStore({ folder: join(folder, 'macros') });
  await store.open();
  const remove = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, beside: async () => store, remove };
});

directoryKeyStoreContract('the memory', async () => {
  const store = new MemoryDirectoryKeyStore();
  return { store, beside: async () => store, remove: async () => {} };
});
