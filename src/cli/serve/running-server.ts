import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/files/private-path.js';

/** In the data folder: which process serves the configuration. */
const NAME = 'server.json';

/** A process; its number alone may be that of another one since. */
interface ServingProcess {
  readonly pid: number;
  /** As the system counts (proc(5), starttime); undefined where it does not tell. */
  readonly started: string | undefined;
}

/** Notes that this process serves. */
export async function noteServing(data: string): Promise<void> {
  await makePrivateFolder(data);
  const own: ServingProcess = { pid: process.pid, started: await startOf(process.pid) };
  await writeFile(join(data, NAME), JSON.stringify(own), { mode: 0o600 });
}

export async function noteStopped(data: string): Promise<void> {
  if ((await readNote(data))?.pid === process.pid) await rm(join(data, NAME), { force: true });
}

/** The process that serves; undefined: none does, or the system does not tell. */
export async function servingProcess(data: string): Promise<number | undefined> {
  const noted = await readNote(data);
  if (noted?.started === undefined) return undefined;
  return (await startOf(noted.pid)) === noted.started ? noted.pid : undefined;
}

async function readNote(data: string): Promise<ServingProcess | undefined> {
  try {
    const { pid, started } = Object(JSON.parse(await readFile(join(data, NAME), 'utf8')));
    if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
    return { pid, started: typeof started === 'string' ? started : undefined };
  } catch {
    return undefined;
  }
}

/** The 22nd field; the second one, the name in parentheses, may have blanks in it. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}
