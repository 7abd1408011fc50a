import { type OperatorError, operatorErrors } from '../tn3270/keyboard/operator-errors.js';
import type { ScreenInformation } from './information-area.js';
import type { ScriptedTerminal } from './scripted-terminal.js';

/** All other errors are displayed as `-f`. */
const errorWords: Readonly<Partial<Record<OperatorError, string>>> = {
  [operatorErrors.protected]: 'Protected',
  [operatorErrors.numeric]: 'Numeric',
  [operatorErrors.overflow]: 'Overflow',
  [operatorErrors.doubleByte]: 'DBCS',
};

const lockWords = { time: 'X Wait', system: 'X SYSTEM', query: 'X Inhibit', bid: 'X Wait' } as const;

export function informationOf(terminal: ScriptedTerminal, isScripted: boolean): ScreenInformation {
  const { isConnected, conversation, screen, primaryName = '' } = terminal;
  const { operatorError, insertMode } = screen.state.operator;
  return {
    protocol: isConnected && conversation.isTn3270e ? 'B' : 'A',
    partner: partnerOf(terminal),
    words: connectionStateText(terminal),
    isOperatorError: isConnected && operatorError !== undefined,
    insertMode,
    isTypedAhead: isConnected && screen.keyboard.typedAhead > 0,
    isScripted,
    primaryName,
  };
}

function partnerOf({ isConnected, screen }: ScriptedTerminal): ScreenInformation['partner'] {
  if (!isConnected) return '?';
  if (screen.partner === 'services') return 'S';
  return screen.partner === 'line' ? 'N' : ' ';
}

function connectionStateText({ isConnected, screen }: ScriptedTerminal): string {
  if (!isConnected) return 'X Not Connected';
  const { operatorError, hostLock } = screen.state.operator;
  if (operatorError !== undefined) return `X ${errorWords[operatorError] ?? '-f'}`;
  return hostLock === undefined ? '' : lockWords[hostLock];
}
