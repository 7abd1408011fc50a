import type { ActionFamily } from '../action.js';
import { ActionError } from '../action-error.js';
import { readHostName } from '../host-name.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

const connect = {
  takes: [1, 1],
  act: async (terminal: ScriptedTerminal, [written = '']: readonly string[]) => {
    const host = readHostName(written, terminal.defaultPort);
    if (host.kind === 'fault') throw new ActionError(host.fault);
    await terminal.connect(host.value);
  },
} as const;

const disconnect = { takes: [0, 0], act: (terminal: ScriptedTerminal) => terminal.disconnect() } as const;

const quit = { takes: [0, 1], act: (terminal: ScriptedTerminal) => terminal.quit() } as const;

export const connectionActions: ActionFamily = {
  Connect: connect,
  Open: connect,
  Disconnect: disconnect,
  Close: { ...disconnect, countedAs: 'Disconnect' },
  Reconnect: { takes: [0, 0], act: (terminal) => terminal.reconnect() },
  Exit: quit,
  Quit: quit,
};
