import { isProtected } from '../../tn3270/datastream/field-attribute.js';
import { type ActionFamily, ANY_NUMBER, numberOf } from '../action.js';
import { ActionError, HOST_GONE } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

interface Awaited {
  readonly holds: (terminal: ScriptedTerminal) => boolean;
  readonly needsHost: boolean;
}

const awaited: Readonly<Record<string, Awaited>> = {
  inputfield: { holds: isOnInputField, needsHost: true },
  nvtmode: { holds: (terminal) => terminal.isInLineMode, needsHost: true },
  ansi: { holds: (terminal) => terminal.isInLineMode, needsHost: true },
  '3270mode': { holds: isBegunIn3270Mode, needsHost: true },
  '3270': { holds: isBegunIn3270Mode, needsHost: true },
  disconnect: { holds: (terminal) => !terminal.isConnected, needsHost: false },
  unlock: { holds: (terminal) => !terminal.screen.state.operator.waitingForHost, needsHost: false },
};

/** A condition at a place on the screen: `row, column` from 1, or an offset from 0. */
interface PlaceWait {
  readonly name: string;
  readonly further: 0 | 1;
  readonly holds: (terminal: ScriptedTerminal, at: number, text: string) => boolean;
}

const placeWaits: Readonly<Record<string, PlaceWait>> = {
  cursorat: {
    name: 'CursorAt',
    further: 0,
    holds: (terminal, at) => terminal.screen.state.space.cursor === at,
  },
  inputfieldat: {
    name: 'InputFieldAt',
    further: 0,
    holds: ({ screen }, at) => {
      const { space, operator } = screen.state;
      return space.formatted && !operator.waitingForHost && space.canBeTypedAt(at);
    },
  },
  stringat: {
    name: 'StringAt',
    further: 1,
    holds: ({ screen }, at, text) => screen.image.text.slice(at).startsWith(text),
  },
};

interface WaitAtPlace extends PlaceWait {
  readonly parameters: readonly string[];
  readonly within: number | undefined;
}

async function waitAtPlace(action: string, terminal: ScriptedTerminal, wait: WaitAtPlace): Promise<void> {
  const { name, further, holds, parameters, within } = wait;
  const count = parameters.length - further;
  if (count !== 1 && count !== 2) {
    throw new ActionError(`${action}(): ${name} requires ${1 + further} or ${2 + further} arguments`);
  }
  const { rows, columns } = terminal.screen.state.space;
  const [first = Number.NaN, second = Number.NaN] = parameters.slice(0, count).map((text) => numberOf(text));
  const isPlace =
    count === 1
      ? first >= 0 && first < rows * columns
      : first >= 1 && first <= rows && second >= 1 && second <= columns;
  if (!isPlace)
    throw new ActionError(`${action}(): Invalid ${name} position '${parameters.slice(0, count).join(',')}'`);
  if (!terminal.isConnected) throw new ActionError(`${action}(): Not connected`);
  const at = count === 1 ? first : (first - 1) * columns + second - 1;
  await waitUntil(action, terminal, () => holds(terminal, at, parameters[count] ?? ''), within);
}

async function waitUntil(
  action: string,
  terminal: ScriptedTerminal,
  holds: () => boolean,
  within: number | undefined,
): Promise<void> {
  if (holds()) return;
  const end = await terminal.waitUntil(holds, within);
  if (end === 'timedOut') throw new ActionError(`${action}(): Timed out`);
  if (end === 'hostGone' && !holds()) throw new ActionError(HOST_GONE);
}

const PARAMETERS = 'Parameter must be inputfield, nvtmode, 3270mode, output, seconds, disconnect or unlock';
const writtenNumber = /^\s*\+?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
const LONGEST_SECONDS = 86_400;
const PAUSE_MILLISECONDS = 350;

function isBegunIn3270Mode({ isIn3270Mode, screen }: ScriptedTerminal): boolean {
  return isIn3270Mode && !screen.state.operator.awaitsFirstWrite;
}

/**
 * A locked keyboard counts only if `aidWait` is on. As in s3270, a formatted screen without input fields also counts if
 * its cursor is not at 0: some screens only ask for Enter.
 */
function isOnInputField(terminal: ScriptedTerminal): boolean {
  if (terminal.isInLineMode) return true;
  const { space, operator } = terminal.screen.state;
  const isAwaited = operator.waitingForHost && terminal.options.toggles.isOn('aidWait');
  if (!terminal.isIn3270Mode || isAwaited) return false;
  if (!space.formatted) return !terminal.isMeeting || terminal.conversation.isReady;
  return space.cursor !== 0 || space.fieldAttributes.some((attribute) => attribute !== 0 && !isProtected(attribute));
}

/** `[seconds,] keyword`, or only seconds to wait for an input field. */
export async function waitFor(
  action: string,
  terminal: ScriptedTerminal,
  parameters: readonly string[],
): Promise<void> {
  const [first = '', second] = parameters;
  const seconds = writtenNumber.test(first) && !(first.toLowerCase() in awaited) ? numberOfSeconds(first) : undefined;
  const keyword = (seconds === undefined ? first : (second ?? '')).toLowerCase();
  const within = seconds === undefined ? undefined : seconds * 1_000;
  const place = placeWaits[keyword];
  if (place !== undefined) {
    const rest = parameters.slice(seconds === undefined ? 1 : 2);
    return waitAtPlace(action, terminal, { ...place, parameters: rest, within });
  }
  const isTooMany = seconds === undefined ? parameters.length > 1 : parameters.length > 2;
  if (isTooMany) throw new ActionError('Too many arguments to Wait ()or invalid timeout value');
  if (keyword === 'seconds') {
    if (within === undefined) throw new ActionError(`${action}(): Parameter 'seconds' requires a number of seconds`);
    // 0 seconds are not valid, as in s3270
    if (within === 0) throw new ActionError(`${action}(): ${PARAMETERS}`);
    return pause(within);
  }
  const isWithoutKeyword = parameters.length === (seconds === undefined ? 0 : 1);
  const condition = keyword === 'output' ? outputOf(terminal) : awaited[isWithoutKeyword ? 'inputfield' : keyword];
  if (condition === undefined) throw new ActionError(`${action}(): ${PARAMETERS}`);
  if (condition.needsHost && !terminal.isConnected) throw new ActionError(`${action}(): Not connected`);
  await waitUntil(action, terminal, () => condition.holds(terminal), within);
}

/** Output of the host after the last screen read. Nothing is awaited if there is no host and no screen was read. */
function outputOf(terminal: ScriptedTerminal): Awaited {
  const isRead = terminal.isConnected || terminal.readAt >= 0;
  return { holds: () => !isRead || terminal.hasOutputSinceRead, needsHost: isRead };
}

function numberOfSeconds(written: string): number {
  const seconds = Number(written);
  if (!Number.isFinite(seconds) || seconds > LONGEST_SECONDS) {
    throw new ActionError('Too many arguments to Wait ()or invalid timeout value');
  }
  return seconds;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export const waitingActions: ActionFamily = {
  Pause: { takes: [0, 0], act: () => pause(PAUSE_MILLISECONDS) },
  Wait: { takes: [0, ANY_NUMBER], act: (terminal, parameters) => waitFor('Wait', terminal, parameters) },
};
