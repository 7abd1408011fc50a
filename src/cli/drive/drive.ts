import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { Conversation } from '../../conversation/conversation.js';
import { hostEndWords } from '../../conversation/host-end-words.js';
import { type HostAddress, openHostConnection } from '../../host/host-connection.js';
import { allFunctions } from '../../host/host-session-options.js';
import { exitCodes, type Finish } from '../exit-codes.js';
import { traceInto } from '../host-trace-file.js';
import { answerDriveRequest, type DrivenSession } from './drive-commands.js';
import { type DriveSettings, readDriveSettings } from './drive-settings.js';

const STARTTLS_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 5_000;

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
  await driven.stop();
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
    const { tls, connectSeconds, startTls } = settings;
    this.keepsMargin = settings.margin;
    this.conversation = new Conversation(
      {
        model: settings.model,
        codePage: settings.codePage,
        entryRules: { numericLock: settings.numericLock, blankFill: settings.blankFill },
        deviceNames: settings.deviceNames,
        tn3270e: settings.tn3270e,
        functions: allFunctions,
        environment: new Map(settings.user === '' ? [] : [['USER', settings.user]]),
        connect: (handler, signal) =>
          openHostConnection(
            { address, ...(tls === undefined ? {} : { tls }), connectMilliseconds: connectSeconds * 1_000, signal },
            handler,
          ),
        startTls: startTls
          ? (connection, signal) => connection.startTls(tls ?? {}, signal, STARTTLS_MILLISECONDS)
          : undefined,
        negotiationMilliseconds: undefined,
        keepAlive: undefined,
        trace: settings.trace === undefined ? undefined : traceInto(settings.trace),
      },
      {
        changed: () => {
          if (this.conversation.isConnected) this.wasConnected = true;
        },
      },
    );
    this.conversation.connect();
  }

  get ended(): string | undefined {
    const { end } = this.conversation;
    return end === undefined ? undefined : hostEndWords(end);
  }

  async stop(): Promise<void> {
    this.conversation.stop();
    await this.conversation.waitUntil(() => this.ended !== undefined, { withinMilliseconds: STOP_MILLISECONDS });
  }
}
