import type { Conversation } from '../conversation/conversation.js';
import type { ScriptPort } from './connection-script.js';
import type { BrowserSessionOptions, SessionFacts, SessionVariables } from './session-facts.js';

/** What a script needs of its session. */
interface ScriptedSession {
  readonly facts: SessionFacts;
  readonly options: BrowserSessionOptions;
  readonly conversation: Conversation;
  readonly logged: object;
  readonly end: object | undefined;
  notice: string;
  variables: SessionVariables | undefined;
  waitUntil(holds: () => boolean, signal?: AbortSignal): Promise<void>;
}

/** What a connection script does to a session; waits end with the script's time. */
export function scriptPort(session: ScriptedSession, which: 'initial' | 'final', signal: AbortSignal): ScriptPort {
  const { facts, options, conversation } = session;
  const { screen } = conversation;
  const until = async (holds: () => boolean) => {
    await session.waitUntil(holds, signal);
    if (signal.aborted || session.end !== undefined) throw tooLate();
  };
  /** The revision of the screen when a key was sent last: what it showed then is no answer to the key. */
  let sentAt: number | undefined;
  const names: Readonly<Record<string, () => string | undefined>> = {
    T: () => conversation.deviceName,
    R: () => conversation.deviceName,
    L: () => facts.line,
    X: () => facts.transaction,
    A: () => facts.application,
    C: () => options.host.codePage.name,
    D: () => new Date().toISOString().slice(0, 10).replaceAll('-', ''),
    U: () => facts.user,
    1: () => facts.routingParameter,
  };
  return {
    variable: (name) => (name.startsWith('=') ? variableValue(session, name.slice(1)) : names[name]?.()) ?? '',
    type: (text) => {
      conversation.type(text);
    },
    tab: () => {
      conversation.press('Tab');
    },
    press: (key, row, column) => {
      // where line terminals and services write next, is theirs to say
      if (row !== undefined && column !== undefined && screen.partner === 'application') {
        const { space } = screen.state;
        const address = (row - 1) * space.columns + column - 1;
        if (address >= 0 && address < space.positions) space.cursor = address;
      }
      const outcome = conversation.press(key);
      // a key that went nowhere has no answer
      if (outcome === 'done' || outcome === 'typedAhead') sentAt = screen.state.revision;
    },
    shows: (text) => until(() => screen.state.revision !== sentAt && screen.image.cells.join('').includes(text)),
    hostReady: () => until(() => conversation.isReady),
    show: (text) => {
      session.notice = text;
    },
    log: (text) => options.log.info({ ...session.logged, text }, 'connection script'),
    runScenario: async () => {
      const variables = await options.runScenario(which, signal);
      // a script whose time is over must not type into what its user does now
      if (signal.aborted || session.end !== undefined) throw tooLate();
      session.variables = variables;
    },
  };
}

function tooLate(): Error {
  return new Error('it took too long, or the session ended');
}

function variableValue(session: ScriptedSession, name: string): string | undefined {
  return session.variables?.valuesOf(name)?.[0] ?? session.options.parameter(name);
}
