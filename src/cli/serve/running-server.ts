import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import { exitCodes } from '../../lib/exit-codes.js';
import { makePrivateFolder, privacyFault } from '../../lib/files/private-path.js';
import type { Log } from '../../lib/log/log.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import { listenAddress } from '../../lines/listener/line-opening-error.js';
import type { Listener } from '../../server/part.js';

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

export function tellListeners(listeners: readonly Listener[], aboutUsers: string): void {
  for (const { name, url, purpose } of listeners) process.stdout.write(`${name.padEnd(8)} ${url}  ${purpose}\n`);
  process.stdout.write(aboutUsers);
}

/** The note of one that is there stays: without it neither `reload` nor `restore` would know of that server. */
export async function noteServingProcess({ data }: Configuration, log: Log): Promise<void> {
  const fault = await privacyFault(data);
  if (fault !== undefined) log.warn({ data }, `the data folder holds secrets, and ${fault}`);
  const other = await servingProcess(data);
  if (other !== undefined && other !== process.pid)
    return log.warn({ data, process: other }, 'another server has the same data folder: give this one its own');
  await noteServing(data).catch((error) => log.warn({ err: error }, 'sallyport reload will not find this server'));
}

/** Says who has the ports of lines, and ends where no line has its own. */
export async function endWithoutPorts(
  names: readonly string[],
  { inboundLines }: Configuration,
  stop: () => Promise<void>,
  flush: () => void,
): Promise<void> {
  for (const line of inboundLines) if (names.includes(line.name)) await tellWhoHasThePort(line);
  if (names.length === 0 || names.length < inboundLines.length) return;
  await stop();
  flush();
  process.stderr.write('Sallyport did not start: none of its lines has its port.\n');
  process.exit(exitCodes.usageOrConfigurationWrong);
}

async function tellWhoHasThePort(line: InboundLineDefinition): Promise<void> {
  const { portHolder } = await import('./port-holder.js');
  const holder = await portHolder(line.host, line.port);
  const words = holder ?? 'another program (which one, this user cannot see)';
  process.stderr.write(`line ${line.name}: ${listenAddress(line)} is taken by ${words}\n`);
}
