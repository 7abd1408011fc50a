import type { Configuration } from '../../config/configuration.js';
import { exitCodes } from '../../lib/exit-codes.js';
import { privacyFault } from '../../lib/files/private-path.js';
import type { Log } from '../../lib/log/log.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import { listenAddress } from '../../lines/listener/line-opening-error.js';
import type { Listener } from '../../server/part.js';
import { noteServing, servingProcess } from './running-server.js';

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
