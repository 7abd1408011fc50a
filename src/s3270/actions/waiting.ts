import { isProtected } from '../../datastream/field-attribute.js';
import { type ActionFamily, ANY_NUMBER } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

/** What scripts wait for, when it is so, and whether there has to be a connection. */
interface Awaited {
  readonly holds: (terminal: ScriptedTerminal) => boolean;
  readonly needsHost: boolean;
}

const awaited: Readonly<Record<string, Awaited>> = {
  inputfield: { holds: isOnInputField, needsHost: true },
  nvtmode: { holds: (terminal) => terminal.isInLineMode, needsHost: true },
  ansi: { holds: (terminal) => terminal.isInLineMode, needsHost: true },
  '3270mode': { holds: (terminal) => terminal.isIn3270Mode, needsHost: true },
  '3270': { holds: (terminal) => terminal.isIn3270Mode, needsHost: true },
  disconnect: { holds: (terminal) => !terminal.isConnected, needsHost: false },
  unlock: { holds: (terminal) => !terminal.screen.state.operator.waitingForHost, needsHost: false },
};

const PARAMETERS = 'Parameter must be inputfield, nvtmode, 3270mode, output, seconds, disconnect or unlock';
/** The longest wait; a day. */
const LONGEST_SECONDS = 86_400;
const PAUSE_MILLISECONDS = 350;

/** The host waits for the operator, and what is typed now goes into a field. */
function isOnInputField(terminal: ScriptedTerminal): boolean {
  if (terminal.isInLineMode) return false;
  const { space, operator } = terminal.screen.state;
  if (!terminal.isIn3270Mode || operator.waitingForHost) return false;
  return !space.formatted || space.fieldAttributes.some((attribute) => attribute !== 0 && !isProtected(attribute));
}

/**
 * `[seconds,] keyword`, or seconds alone for an input field.
 * @throws ActionError for a wrong wait, when its time is over, and when the host goes away meanwhile
 */
export async function waitFor(
  action: string,
  terminal: ScriptedTerminal,
  parameters: readonly string[],
): Promise<undefined> {
  const [first = '', second] = parameters;
  const seconds = /^\d/.test(first) && !(first.toLowerCase() in awaited) ? numberOfSeconds(first) : undefined;
  const keyword = (seconds === undefined ? first : (second ?? '')).toLowerCase();
  const isTooMany = seconds === undefined ? parameters.length > 1 : parameters.length > 2;
  if (isTooMany) throw new ActionError('Too many arguments to Wait ()or invalid timeout value');
  const within = seconds === undefined ? undefined : seconds * 1_000;
  if (keyword === 'seconds') {
    if (within === undefined) throw new ActionError(`${action}(): Parameter 'seconds' requires a number of seconds`);
    await pause(within);
    return;
  }
  const condition = keyword === 'output' ? outputOf(terminal) : awaited[keyword === '' ? 'inputfield' : keyword];
  if (condition === undefined) throw new ActionError(`${action}(): ${PARAMETERS}`);
  if (condition.needsHost && !terminal.isConnected) throw new ActionError(`${action}(): Not connected`);
  if (condition.holds(terminal)) return;
  const end = await terminal.waitUntil(() => condition.holds(terminal), within);
  if (end === 'timedOut') throw new ActionError(`${action}(): Timed out`);
  if (end === 'hostGone' && !condition.holds(terminal)) throw new ActionError(`${action}(): Host disconnected`);
}

/** Something that the host writes after the screen that was read last. */
function outputOf(terminal: ScriptedTerminal): Awaited {
  return { holds: () => terminal.hasOutputSinceRead, needsHost: true };
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
  Pause: {
    takes: [0, 0],
    act: async () => {
      await pause(PAUSE_MILLISECONDS);
      return undefined;
    },
  },
  Wait: {
    takes: [0, ANY_NUMBER],
    act: (terminal, parameters) => waitFor('Wait', terminal, parameters),
  },
};
