import { FileMacroStore } from '../../src/macros/file-macro-store.js';
import type { MacroDirectory } from '../../src/macros/macro-directory.js';
import { uploadText } from './upload-text.js';

/**
 * A process for tests to kill: writes 80 uploads from `first` on to each of three directories at once, and says
 * on standard output which have been stored.
 */
const [folder = '', first = '0', mostBytes] = process.argv.slice(2);
const store = new FileMacroStore({ folder });
await store.open();

if (mostBytes === undefined) {
  const directories: MacroDirectory[] = [
    { level: 'global' },
    { level: 'group', name: 'G1' },
    { level: 'user', name: 'u1' },
  ];
  for (let number = Number(first); number < Number(first) + 80; number += 1) {
    for (const directory of directories) {
      void store.write(directory, uploadText(number)).then(() => {
        process.stdout.write(`${directory.level} ${number}\n`);
      });
    }
  }
} else {
  // under a limit of the size of files: the second upload is over it
  const small = uploadText(Number(first));
  const large = Buffer.concat([small, Buffer.alloc(Number(mostBytes), ' ')]);
  await store.write({ level: 'global' }, small);
  const outcome = await store.write({ level: 'global' }, large).then(
    () => 'stored',
    (error: NodeJS.ErrnoException) => error.code,
  );
  process.stdout.write(`${outcome}\n`);
}
await store.close();
