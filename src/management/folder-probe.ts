import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../error-message.js';
import { makePrivateFolder } from '../private-path.js';
import type { Condition } from './health.js';

/** A file system that is full may still take files without content. */
const PROBE_BYTES = 4_096;
const REMEMBERED_MILLISECONDS = 500;

/** Whether state can be written to a folder: a file is, and removed. Who asks often is told what was so a moment ago. */
export function folderCondition(name: string, folder: string, now: () => number = () => performance.now()): Condition {
  let latest: { readonly at: number; readonly fault: string | undefined } | undefined;
  return {
    name,
    fault: async () => {
      if (latest === undefined || now() - latest.at >= REMEMBERED_MILLISECONDS) {
        latest = { fault: await faultOf(folder), at: now() };
      }
      return latest.fault;
    },
  };
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
