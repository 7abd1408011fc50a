import type { Log } from '../lib/log/log.js';
import type { StopSignal } from '../lib/stop-signal.js';
import type { CodePage } from '../tn3270/codepage/code-page.js';
import type { Conversation } from '../tn3270/conversation/conversation.js';
import { controls } from '../tn3270/screen/form-entry.js';
import { playConnectionScript, readConnectionScript, type ScriptPort } from './connection-script.js';
import type { ScriptEnd } from './scripted-screen.js';
import type { SessionFacts } from './session-facts.js';

export interface ScriptContext {
  readonly facts: SessionFacts;
  readonly conversation: Conversation;
  readonly codePage: CodePage;
  readonly log: Log;
  readonly logged: object;
  readonly isOver: () => boolean;
  readonly variable: (name: string) => string | undefined;
  readonly show: (text: string) => void;
  readonly runScenario: (signal: StopSignal) => Promise<void>;
}

/** Waits reject when `signal` is aborted. */
export function scriptPort(context: ScriptContext, signal: StopSignal): ScriptPort {
  const { facts, conversation, log, logged } = context;
  const { screen } = conversation;
  const until = async (holds: () => boolean) => {
    await conversation.waitUntil(() => context.isOver() || holds(), { signal });
    if (signal.aborted || context.isOver()) throw tooLate();
  };
  /** Revision of the screen when the last key was sent: text on that screen is not an answer to the key. */
  let sentAt: number | undefined;
  const names: Readonly<Record<string, () => string | undefined>> = {
    T: () => conversation.deviceName,
    R: () => conversation.deviceName,
    L: () => facts.line,
    X: () => facts.transaction,
    A: () => facts.application,
    C: () => context.codePage.name,
    D: () => new Date().toISOString().slice(0, 10).replaceAll('-', ''),
    U: () => facts.user,
    1: () => facts.routingParameter,
  };
  return {
    variable: (name) =>
      withoutControls((name.startsWith('=') ? context.variable(name.slice(1)) : names[name]?.()) ?? ''),
    type: (text) => {
      conversation.type(text);
    },
    tab: () => {
      conversation.press('Tab');
    },
    press: (key, row, column) => {
      // line terminals and services determine the cursor themselves
      if (row !== undefined && column !== undefined && screen.partner === 'application') {
        const { space } = screen.state;
        const address = (row - 1) * space.columns + column - 1;
        if (address >= 0 && address < space.positions) space.cursor = address;
      }
      const outcome = conversation.press(key);
      // a rejected key has no answer
      if (outcome === 'done' || outcome === 'typedAhead') sentAt = screen.state.revision;
    },
    shows: (text) => until(() => screen.state.revision !== sentAt && screen.image.text.shown.includes(text)),
    hostReady: () => until(() => conversation.isReady),
    show: (text) => context.show(text),
    log: (text) => log.info({ ...logged, text }, 'connection script'),
    runScenario: async () => {
      await context.runScenario(signal);
      // after its time, a script must not type into a screen that the user has
      if (signal.aborted || context.isOver()) throw tooLate();
    },
  };
}

function tooLate(): Error {
  return new Error('it took too long, or the session ended');
}

/** Values from other systems may contain control characters, which would act as data stream orders. */
function withoutControls(text: string): string {
  return [...text].filter((character) => !controls.test(character)).join('');
}

export async function playScriptOfScenario(
  script: string,
  context: ScriptContext,
  signal: StopSignal,
): Promise<ScriptEnd> {
  const steps = readConnectionScript(script, (codes) => context.codePage.decode(codes));
  if (steps.kind === 'fault') return { kind: 'wrong', reason: steps.fault };
  for (const step of steps.value) {
    if (step.kind === 'repeated') return { kind: 'wrong', reason: '&( and &) are for scripts of transactions' };
    if (step.kind === 'order' && step.order === 'scenario')
      return { kind: 'wrong', reason: '&/S would run a scenario while one runs' };
  }
  try {
    await playConnectionScript(steps.value, scriptPort(context, signal));
    return { kind: 'done' };
  } catch (fault) {
    if (signal.aborted || !context.isOver()) throw fault;
    return { kind: 'gone' };
  }
}
