import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import { exitCodes } from '../../lib/exit-codes.js';
import { makePrivateFolder, privacyFault } from '../../lib/files/private-path.js';
import type { Log } from '../../lib/log/log.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import { listenAddress } from '../../lines/listener/line-opening-error.js';
import type { Listener } from '../../server/part.js';

/** File in the data folder with the process that serves the configuration. */
const NAME = 'server.json';

/** The start time distinguishes a process from a later one with the same number. */
interface ServingProcess {
  readonly pid: number;
  /** proc(5), starttime; undefined if the system does not provide it. */
  readonly started: string | undefined;
}

export async function noteServing(data: string): Promise<void> {
  await makePrivateFolder(data);
  const own: ServingProcess = { pid: process.pid, started: await startOf(process.pid) };
  await writeFile(join(data, NAME), JSON.stringify(own), { mode: 0o600 });
}

export async function noteStopped(data: string): Promise<void> {
  if ((await readNote(data))?.pid === process.pid) await rm(join(data, NAME), { force: true });
}

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

/** Field 22 of /proc/PID/stat; field 2, the name in parentheses, may contain blanks. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

export function tellListeners(listeners: readonly Listener[], aboutUsers: string): void {
  for (const { name, url, purpose } of listeners) process.stdout.write(`${name.padEnd(8)} ${url}  ${purpose}\n`);
  process.stdout.write(aboutUsers);
}

/** Keeps the note of another running server, because `reload` and `restore` need it. */
export async function noteServingProcess({ data }: Configuration, log: Log): Promise<void> {
  const fault = await privacyFault(data);
  if (fault !== undefined) log.warn({ data }, `the data folder holds secrets, and ${fault}`);
  const other = await servingProcess(data);
  if (other !== undefined && other !== process.pid)
    return log.warn(
      { data, process: other },
      'another server uses the same data folder: configure another folder for this one',
    );
  await noteServing(data).catch((error) => log.warn({ err: error }, 'sallyport reload will not find this server'));
}

/** Reports the processes that occupy ports, and ends this process if no line has a port. */
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
  process.stderr.write('Sallyport did not start: none of its lines could open its port.\n');
  process.exit(exitCodes.usageOrConfigurationWrong);
}

async function tellWhoHasThePort(line: InboundLineDefinition): Promise<void> {
  const { portHolder } = await import('./port-holder.js');
  const holder = await portHolder(line.host, line.port);
  const words = holder ?? 'another program (this user has no permission to see which)';
  process.stderr.write(`line ${line.name}: ${listenAddress(line)} is taken by ${words}\n`);
}
