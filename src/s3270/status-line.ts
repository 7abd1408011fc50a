import { isProtected } from '../tn3270/datastream/field-attribute.js';
import type { Screen } from '../tn3270/screen/screen.js';
import type { ScreenPartner } from '../tn3270/screen/screen-terminal.js';

interface TerminalStatus {
  readonly screen: Screen;
  readonly host: { readonly host: string } | undefined;
  readonly modelNumber: number;
  readonly isLineMode: boolean;
}

const modes: Readonly<Record<ScreenPartner, string>> = {
  application: 'I',
  services: 'I',
  line: 'L',
  none: 'P',
  unbound: 'P',
};

/** Fields 1 to 11 of the status line (reference 10.3); field 12 is the duration of the action. */
export function statusFields({ screen, host, modelNumber, isLineMode }: TerminalStatus): string {
  const { space, operator } = screen.state;
  const isLocked = host === undefined || operator.keyboardLocked;
  const isOnProtected = space.formatted && isProtected(space.attributeOf(space.cursor));
  return [
    isLocked ? 'L' : 'U',
    space.formatted ? 'F' : 'U',
    isOnProtected ? 'P' : 'U',
    host === undefined ? 'N' : `C(${host.host})`,
    host === undefined ? 'N' : screen.partner === 'line' && !isLineMode ? 'C' : modes[screen.partner],
    modelNumber,
    space.rows,
    space.columns,
    Math.floor(space.cursor / space.columns),
    space.cursor % space.columns,
    '0x0',
  ].join(' ');
}
