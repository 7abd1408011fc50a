import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { messageOf } from '../../lib/text/messages.js';
import { type Condition, remembered } from './health.js';

/** A full file system may still accept empty files. */
const PROBE_BYTES = 4_096;

export function folderCondition(name: string, folder: string): Condition {
  return remembered({ name, fault: () => faultOf(folder) });
}

async function faultOf(folder: string): Promise<string | undefined> {
  const file = join(folder, `.health-${process.pid}`);
  try {
    await makePrivateFolder(folder);
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.write(Buffer.alloc(PROBE_BYTES));
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
    return undefined;
  } catch (error) {
    return `cannot be written: ${messageOf(error)}`;
  }
}
