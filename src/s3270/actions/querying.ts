import type { ActionFamily } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

/** What can be asked; undefined stands for nothing to tell. */
const answers: Readonly<Record<string, (terminal: ScriptedTerminal) => string | undefined>> = {
  CodePage: ({ options }) => options.codePageName,
  ConnectionState: connectionState,
  ConnectTime: ({ host }) => (host === undefined ? undefined : clockOf(Date.now() - host.since)),
  Cursor1: ({ screen }) => {
    const { cursor, columns } = screen.state.space;
    return `row ${Math.floor(cursor / columns) + 1} column ${(cursor % columns) + 1} offset ${cursor}`;
  },
  Formatted: ({ screen }) => (screen.state.space.formatted ? 'formatted' : 'unformatted'),
  Host: ({ host }) => (host === undefined ? undefined : `host ${host.host} ${host.port}`),
  LocalEncoding: () => 'UTF-8',
  LuName: ({ host, conversation }) => (host === undefined ? undefined : conversation.deviceName),
  ScreenSizeCurrent: ({ screen }) => sizeWords(screen.state.space),
  ScreenSizeMax: ({ options }) => sizeWords(options.model.alternateSize),
  TerminalName: ({ options }) => options.model.terminalType,
  Tls: ({ host, conversation }) => {
    if (host === undefined) return undefined;
    if (conversation.secured === undefined) return 'not secure';
    return host.verifies ? 'secure host-verified' : 'secure host-unverified';
  },
  TlsSessionInfo: ({ host, conversation }) => (host === undefined ? undefined : conversation.secured),
};

/** Asked for by name alone: older scripts know them. */
const olderAnswers: typeof answers = {
  Cursor: ({ screen }) => {
    const { cursor, columns } = screen.state.space;
    return `${Math.floor(cursor / columns)} ${cursor % columns}`;
  },
  Model: ({ options }) => options.model.terminalType,
  ScreenCurSize: ({ screen }) => `${screen.state.space.rows} ${screen.state.space.columns}`,
  ScreenMaxSize: ({ options }) => `${options.model.alternateSize.rows} ${options.model.alternateSize.columns}`,
};

function connectionState(terminal: ScriptedTerminal): string {
  if (!terminal.isConnected) return 'not-connected';
  switch (terminal.screen.partner) {
    case 'application':
    case 'services':
      return terminal.conversation.isTn3270e ? 'connected-tn3270e' : 'connected-3270';
    case 'line':
      return 'connected-nvt';
    default:
      return 'connected-unbound';
  }
}

function sizeWords({ rows, columns }: { readonly rows: number; readonly columns: number }): string {
  return `rows ${rows} columns ${columns}`;
}

function clockOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 19);
}

function query(terminal: ScriptedTerminal, [asked]: readonly string[]): readonly string[] | undefined {
  if (asked === undefined || asked === '-all') {
    return Object.entries(answers).map(([name, answer]) => `${name}: ${answer(terminal) ?? ''}`.trimEnd());
  }
  const folded = asked.toLowerCase();
  const found = Object.entries({ ...answers, ...olderAnswers }).find(([name]) => name.toLowerCase() === folded)?.[1];
  if (found === undefined) throw new ActionError('Query: Unknown parameter');
  return [found(terminal) ?? ''];
}

export const queryingActions: ActionFamily = {
  Query: { takes: [0, 1], act: query },
  Show: { takes: [0, 1], act: query },
};
