import type { HostServices, Terminal } from '../application.js';
import { CutHost } from './cut-host.js';
import { DftHost } from './dft-host.js';
import { libraryLimits } from './file-library.js';
import type { TransferCommand } from './transfer-command.js';
import { TransferError, type TransferTerminal } from './transfer-terminal.js';

const COMPLETE = 'TRANS03   File transfer complete';
const REFUSED = 'TRANS36   File access is denied: file transfer canceled';
const NO_FILE = 'TRANS14   Missing or incorrect data set: file transfer canceled';
const SLOW_MILLISECONDS = 1_000;

/** Does what the command says, and tells the terminal how it ended. @returns the words that the host ends with */
export async function transferFile(
  terminal: Terminal,
  host: HostServices,
  command: TransferCommand,
  encode: (text: string) => Uint8Array,
): Promise<string> {
  const ground = faulty(terminal, host);
  const side = terminal.transferBytes === 0 ? new CutHost(ground, encode) : new DftHost(ground);
  const words = await transfer(side, host, command).catch((error: unknown) => {
    if (error instanceof TransferError) return error.message;
    throw error;
  });
  await side.finish(words).catch((error: unknown) => {
    if (!(error instanceof TransferError)) throw error;
  });
  return words;
}

async function transfer(side: CutHost | DftHost, host: HostServices, command: TransferCommand): Promise<string> {
  const { receives, file, append } = command;
  if (host.faults.has('no-file')) throw new TransferError(REFUSED);
  if (receives) {
    const sent = await side.receive(libraryLimits.bytesOfFile);
    return host.files.write(file, sent, command, append) ?? COMPLETE;
  }
  const found = host.files.read(file, command);
  if (found === undefined) throw new TransferError(NO_FILE);
  await side.send(found);
  return COMPLETE;
}

/** The terminal with the faults that were ordered for transfers. */
function faulty(terminal: Terminal, { faults }: HostServices): TransferTerminal {
  let buffers = 0;
  return {
    transferBytes: terminal.transferBytes,
    exchange: (record) => terminal.exchange(record),
    betweenBuffers: async () => {
      if (faults.has('slow-file')) await terminal.pause(SLOW_MILLISECONDS);
      if (++buffers !== 2) return false;
      if (faults.has('cut-file')) faults.add('disconnect');
      return faults.has('bad-file');
    },
  };
}
