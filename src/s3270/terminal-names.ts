import type { TerminalModel } from '../tn3270/screen/screen-size.js';
import type { NamedHost } from './host-name.js';

/** What a line terminal says that it is. */
export const LINE_TERMINAL = 'xterm';

type TerminalNames = Pick<TerminalModel, 'terminalType' | 'deviceType'>;

/**
 * What the terminal says to this host that it is.
 * @param name that the user has given it; empty: none
 */
export function terminalNames(model: TerminalModel, host: NamedHost | undefined, name: string): TerminalNames {
  const { terminalType, deviceType } = name === '' ? model : { terminalType: name, deviceType: name };
  if (host?.isLineTerminal === true) return { terminalType: LINE_TERMINAL, deviceType };
  if (host?.isExtended !== false || name !== '') return { terminalType, deviceType };
  // -E: with extended attributes
  return { terminalType: terminalType.replace(/-E$/, ''), deviceType: deviceType.replace(/-E$/, '') };
}
