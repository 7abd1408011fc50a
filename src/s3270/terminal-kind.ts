import type { CodePage } from '../tn3270/codepage/code-page.js';
import type { TerminalModel } from '../tn3270/screen/screen-size.js';
import type { NamedHost } from './host-name.js';

/** What a terminal shows and asks for; it is another one only while there is no host. */
export interface TerminalKind {
  /** Of the model, whatever its size is: `IBM-3279-4-E`. */
  readonly name: string;
  readonly model: TerminalModel;
  /** 2 to 5. */
  readonly modelNumber: number;
  readonly codePage: CodePage;
  /** As it was asked for: `bracket`, `cp037`. */
  readonly codePageName: string;
}

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
