import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { withoutTrailingBlanks } from '../../lib/text/characters.js';
import { isForHost } from '../../tn3270/conversation/act.js';
import type { Conversation } from '../../tn3270/conversation/conversation.js';
import { hostEndWords } from '../../tn3270/conversation/host-end-words.js';
import { isProtected } from '../../tn3270/datastream/field-attribute.js';
import type { HostAddress } from '../../tn3270/host/host-connection.js';
import type { KeyOutcome } from '../../tn3270/keyboard/keyboard-terminal.js';
import { controls } from '../../tn3270/screen/form-entry.js';
import type { Screen } from '../../tn3270/screen/screen.js';
import { type DriveSettings, readDriveSettings, settingsConversation, stopConversation } from './drive-settings.js';
import { describeFields, describeScreen, programCheckOf, textFrom } from './screen-object.js';

type DriveRequest = Readonly<Record<string, unknown>>;
type DriveAnswer = object;

const MOST_TYPED = 10_000;
const DEFAULT_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;

type DriveCommand = (driven: Driven, request: DriveRequest) => DriveAnswer | Promise<DriveAnswer>;

const driveCommands: Readonly<Record<string, DriveCommand>> = {
  screen: ({ conversation }) => describeScreen(conversation.screen, conversation.isConnected),
  fields: ({ conversation }) => ({ fields: describeFields(conversation.screen) }),
  text: describeText,
  type: typeText,
  key: pressKey,
  wait: waitFor,
};

async function answerDriveRequest(driven: Driven, line: string): Promise<DriveAnswer> {
  let request: DriveRequest;
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== 'object' || parsed === null) return wrong('a line is one JSON object');
    request = parsed as DriveRequest;
  } catch (error) {
    return wrong(`a line is one JSON object: ${(error as Error).message}`);
  }
  const name = String(request.cmd);
  const command = Object.hasOwn(driveCommands, name) ? driveCommands[name] : undefined;
  if (command === undefined) return wrong(`cmd: one of ${Object.keys(driveCommands).join(', ')}, quit`);
  return command(driven, request);
}

function wrong(error: string): DriveAnswer {
  return { error };
}

/** All rows, or `length` positions from `row` and `col`. */
function describeText({ conversation }: Driven, { row, col, length }: DriveRequest): DriveAnswer {
  const { screen, image } = conversation;
  if (row === undefined && col === undefined) {
    const rows = Array.from({ length: image.rows }, (_, at) =>
      withoutTrailingBlanks(textFrom(screen, at * image.columns, image.columns)),
    );
    return { text: rows };
  }
  const start = positionOf(screen, row, col);
  if (start === undefined) return wrong(`row and col: counted from 0, within ${image.rows} x ${image.columns}`);
  const count = length === undefined ? image.columns - (start % image.columns) : Number(length);
  if (!Number.isInteger(count) || count < 0 || count > image.text.length) return wrong('length: a number of positions');
  return { text: textFrom(screen, start, count) };
}

function positionOf(screen: Screen, row: unknown, column: unknown): number | undefined {
  const { rows, columns } = screen.image;
  const [line, place] = [Number(row ?? 0), Number(column ?? 0)];
  const inside = Number.isInteger(line) && Number.isInteger(place) && line >= 0 && line < rows && place >= 0;
  return inside && place < columns ? line * columns + place : undefined;
}

function typeText({ conversation, ended, keepsMargin }: Driven, { text }: DriveRequest): DriveAnswer {
  if (typeof text !== 'string' || text.length > MOST_TYPED) return wrong(`text: up to ${MOST_TYPED} characters`);
  if (ended !== undefined) return wrong(ended);
  if (conversation.screen.partner !== 'line' && controls.test(text)) {
    return wrong('text: no control characters; press keys with "key"');
  }
  const { space } = conversation.screen.state;
  const column = space.cursor % space.columns;
  const outcome = conversation.type(text);
  if (keepsMargin && outcome === 'done') space.moveToMargin(column);
  return programCheckOf(conversation.screen);
}

/** With `until`, `text` or `seconds` it also waits as `wait` does, and returns both results at once. */
function pressKey(driven: Driven, request: DriveRequest): DriveAnswer | Promise<DriveAnswer> {
  const { conversation, ended } = driven;
  const { key, until, text, seconds } = request;
  if (ended !== undefined) return wrong(ended);
  const { screen } = conversation;
  const waits = until !== undefined || text !== undefined || seconds !== undefined;
  const answered = answerOf(screen);
  const isOfScreen = untilOf(request) === 'text' || untilOf(request) === 'field';
  const hasCome = isOfScreen && isForHost(String(key)) ? answered : undefined;
  const wait = waits ? waitOf(driven, request, hasCome) : undefined;
  if (wait?.kind === 'fault') return wrong(wait.fault);
  let outcome: KeyOutcome | undefined = 'done';
  if (key === 'Attn') conversation.attention();
  else if (key === 'SysReq') conversation.systemRequest();
  else outcome = conversation.press(String(key));
  if (outcome === undefined) return wrong(`there is no key ${String(key)}`);
  answered.begin();
  const { programCheck } = screen.state.operator;
  if (wait === undefined || programCheck !== undefined) return programCheckOf(screen);
  const isTaken = outcome === 'done' || outcome === 'typedAhead';
  if (!isTaken && hasCome !== undefined) return wrong(`the terminal did not send ${String(key)}: ${outcome}`);
  return wait.value();
}

/** Ignores the screen before the key, and host output while the key is still typed ahead. */
function answerOf({ state, keyboard }: Screen) {
  const { operator } = state;
  let writes = 0;
  let isLocked = false;
  let isAhead = false;
  const begin = () => {
    writes = state.hostWrites;
    isLocked = operator.waitingForHost;
    isAhead = keyboard.typedAhead > 0;
  };
  return {
    begin,
    hasCome: () => {
      if (isAhead) begin();
      return state.hostWrites !== writes || (isLocked && !operator.waitingForHost);
    },
  };
}

function waitFor(driven: Driven, request: DriveRequest): DriveAnswer | Promise<DriveAnswer> {
  const wait = waitOf(driven, request);
  return wait.kind === 'fault' ? wrong(wait.fault) : wait.value();
}

/** `until`: unlocked, field, text or ended. For text also `text` and, for a position, `row` and `col`. */
function waitOf(
  driven: Driven,
  request: DriveRequest,
  answer?: ReturnType<typeof answerOf>,
): ReadOutcome<() => Promise<DriveAnswer>> {
  const seconds = Number(request.seconds ?? DEFAULT_WAIT_SECONDS);
  if (!(seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS)) return readFault(`seconds: up to ${LONGEST_WAIT_SECONDS}`);
  const condition = conditionOf(driven, request);
  if (condition.kind === 'fault') return condition;
  const endsVainly = untilOf(request) === 'unlocked';
  const holds = () => (answer === undefined || answer.hasCome()) && condition.value();
  return readAs(() => waited(driven, { seconds, endsVainly, holds }));
}

interface Wait {
  readonly seconds: number;
  /** True if the wait fails at a program check, which only Reset ends. */
  readonly endsVainly: boolean;
  readonly holds: () => boolean;
}

async function waited(driven: Driven, { seconds, endsVainly, holds }: Wait): Promise<DriveAnswer> {
  const { operator } = driven.conversation.screen.state;
  const isVain = () => endsVainly && operator.programCheck !== undefined;
  const end = await driven.conversation.waitUntil(() => isVain() || holds(), { withinMilliseconds: seconds * 1_000 });
  const isOver = end === 'holds';
  if (isOver && !isVain()) return {};
  if (driven.ended !== undefined) return wrong(driven.ended);
  const check = `the host sent a faulty record (X PROG ${operator.programCheck}): press Reset`;
  if (isOver) return wrong(check);
  return wrong(`timed out after ${seconds} seconds${operator.programCheck === undefined ? '' : `; ${check}`}`);
}

function untilOf({ until, text }: DriveRequest): unknown {
  return until ?? (text === undefined ? 'unlocked' : 'text');
}

function conditionOf(driven: Driven, request: DriveRequest): ReadOutcome<() => boolean> {
  const { screen } = driven.conversation;
  switch (untilOf(request)) {
    case 'unlocked':
      // does not use the image, because it takes longer to create than the host's answer takes to process
      return readAs(() => !screen.state.operator.keyboardLocked);
    case 'field':
      return readAs(() =>
        screen.state.space.formatted
          ? screen.image.fields.some(({ attribute }) => !isProtected(attribute))
          : driven.conversation.takesInput && driven.conversation.hasWritten,
      );
    case 'ended':
      return readAs(() => driven.ended !== undefined);
    case 'text': {
      const text = String(request.text ?? '');
      if (text === '') return readFault('text: what to wait for');
      if (request.row === undefined && request.col === undefined) {
        return readAs(() => textFrom(screen, 0, screen.image.text.length).includes(text));
      }
      return readAs(() => {
        const start = positionOf(screen, request.row, request.col);
        return start !== undefined && textFrom(screen, start, text.length) === text;
      });
    }
    default:
      return readFault('until: one of unlocked, field, text, ended');
  }
}

export function driveCommand(finish: Finish): Command {
  const command = new Command('drive')

    .argument('<host>', 'name or address of the TN3270E host')
    .argument('<port>', 'port of the host')
    .argument('[settings]', 'a JSON object: model, codepage, oversize, lu, tls …', '{}')
    .addHelpText(
      'after',
      `
Commands: screen, text, fields, type, key, wait, quit (docs/write/drive.md describes them and all settings).

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

async function drive(address: HostAddress, settings: DriveSettings): Promise<boolean> {
  const driven = new Driven(address, settings);
  const lines = createInterface({ input: process.stdin });
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
  await stopConversation(driven.conversation);
  if (!driven.wasConnected)
    process.stderr.write(`Error: ${ended ?? 'standard input ended before the connection was established'}\n`);
  return driven.wasConnected;
}

function isQuit(line: string): boolean {
  try {
    return (JSON.parse(line) as { cmd?: unknown } | null)?.cmd === 'quit';
  } catch {
    return false;
  }
}

class Driven {
  readonly conversation: Conversation;
  /** True if text that wraps to the next row ends no further left than it started, as after s3270's String. */
  readonly keepsMargin: boolean;
  wasConnected = false;

  constructor(address: HostAddress, settings: DriveSettings) {
    this.keepsMargin = settings.margin;
    this.conversation = settingsConversation(address, settings, () => {
      if (this.conversation.isConnected) this.wasConnected = true;
    });
  }

  /** Reason why there is no session; undefined while there is one. */
  get ended(): string | undefined {
    const { end } = this.conversation;
    return end === undefined ? undefined : hostEndWords(end);
  }
}
