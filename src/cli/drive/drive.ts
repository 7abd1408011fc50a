import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import type { Conversation } from '../../tn3270/conversation/conversation.js';
import { hostEndWords } from '../../tn3270/conversation/host-end-words.js';
import type { HostAddress } from '../../tn3270/host/host-connection.js';
import { answerDriveRequest, type DrivenSession } from './drive-commands.js';
import { type DriveSettings, readDriveSettings } from './drive-settings.js';
import { settingsConversation, stopConversation } from './driven-conversation.js';

/** `sallyport drive HOST PORT [JSON]`: a host session driven by a program, a line of JSON each way. */
export function driveCommand(finish: Finish): Command {
  const command = new Command('drive')

    .argument('<host>', 'name or address of the TN3270E host')
    .argument('<port>', 'its port')
    .argument('[settings]', 'a JSON object: model, codepage, oversize, lu, tls …', '{}')
    .addHelpText(
      'after',
      `
Commands: screen, text, fields, type, key, wait, quit (docs/drive.md describes them and all settings).

Example:
  printf '%s\\n' '{"cmd":"wait","until":"field"}' '{"cmd":"text"}' '{"cmd":"quit"}' \\
    | sallyport drive 127.0.0.1 41023 '{"model":"3279-2-E"}'`,
    );
  return command.action(async (host: string, portText: string, json: string) => {
    const port = Number(portText);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return command.error(`error: no port: ${portText}`);
    const settings = readDriveSettings(json);
    if (settings.kind === 'fault') return command.error(`error: ${settings.fault}`);
    if (!(await drive({ host, port }, settings.value))) finish(exitCodes.workFailed);
  });
}

/** @returns whether a session came about */
async function drive(address: HostAddress, settings: DriveSettings): Promise<boolean> {
  const driven = new Driven(address, settings);
  const lines = createInterface({ input: process.stdin });
  // nobody reads the answers any more
  process.stdout.once('error', () => lines.close());
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (isQuit(line)) {
      process.stdout.write('{}\n');
      break;
    }
    process.stdout.write(`${JSON.stringify(await answerDriveRequest(driven, line))}\n`);
  }
  process.stdin.destroy();
  const { ended } = driven;
  await driven.stop();
  if (!driven.wasConnected)
    process.stderr.write(`Error: ${ended ?? 'the input ended before there was a connection'}\n`);
  return driven.wasConnected;
}

function isQuit(line: string): boolean {
  try {
    return (JSON.parse(line) as { cmd?: unknown } | null)?.cmd === 'quit';
  } catch {
    return false;
  }
}

class Driven implements DrivenSession {
  readonly conversation: Conversation;
  readonly keepsMargin: boolean;
  wasConnected = false;

  constructor(address: HostAddress, settings: DriveSettings) {
    this.keepsMargin = settings.margin;
    this.conversation = settingsConversation(address, settings, () => {
      if (this.conversation.isConnected) this.wasConnected = true;
    });
  }

  get ended(): string | undefined {
    const { end } = this.conversation;
    return end === undefined ? undefined : hostEndWords(end);
  }

  stop(): Promise<void> {
    return stopConversation(this.conversation);
  }
}
