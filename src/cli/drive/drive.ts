import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import { type HostAddress, openHostConnection } from '../../host/host-connection.js';
import { HostSession } from '../../host/host-session.js';
import { allFunctions } from '../../host/host-session-options.js';
import { HostTrace } from '../../host/host-trace.js';
import { exitCodes, type Finish } from '../exit-codes.js';
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
  readonly session: HostSession;
  readonly keepsMargin: boolean;
  ended: string | undefined;
  wasConnected = false;
  #waiting: Array<() => void> = [];

  constructor(address: HostAddress, settings: DriveSettings) {
    const { tls, connectSeconds, startTls } = settings;
    this.keepsMargin = settings.margin;
    this.session = new HostSession(
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
        changed: () => this.#wake(),
        fault: () => undefined,
        ended: (end) => {
          this.ended = wordsFor(end);
          this.#wake();
        },
      },
    );
    this.session.connect();
  }

  async until(condition: () => boolean, milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds;
    for (;;) {
      if (condition()) return true;
      const left = end - performance.now();
      if (this.ended !== undefined || left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async stop(): Promise<void> {
    this.session.stop();
    await this.until(() => this.ended !== undefined, STOP_MILLISECONDS);
  }

  #wake(): void {
    if (this.session.isConnected) this.wasConnected = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Only the owner may read it: it holds what the host sent. */
function traceInto(file: string): HostTrace {
  return new HostTrace({ write: (line) => appendFileSync(file, `${line}\n`, { mode: 0o600 }) });
}

function wordsFor(end: HostSessionEnd): string {
  switch (end.kind) {
    case 'stopped':
      return 'the session was stopped';
    case 'hostEnded':
      return 'the host ended the session';
    case 'silent':
      return 'the host did not agree on a mode in time';
    case 'deviceRefused':
      return `the host refused the device: ${end.detail}`;
    case 'failed':
      return end.detail;
  }
}
