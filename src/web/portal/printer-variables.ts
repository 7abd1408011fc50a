import type { PrinterReport } from '../../operation/server-figures.js';
import type { PageVariables } from './portal-route.js';
import { instantText } from './wording.js';

/** How printers do; what they print, only those are shown whose it is. */
export function printerVariables(printers: readonly PrinterReport[]): PageVariables {
  return {
    $PRINTER$: printers.map(({ name }) => name),
    '$PRINTER-HOST$': printers.map(({ host }) => host),
    '$PRINTER-UNIT$': printers.map(({ ofSessions, logicalUnit }) =>
      ofSessions ? 'of sessions' : (logicalUnit ?? '–'),
    ),
    '$PRINTER-STATE$': printers.map(stateText),
    '$PRINTER-DOCUMENTS$': printers.map(({ documents }) => String(documents)),
    '$PRINTER-LAST$': printers.map(({ lastPrinted }) =>
      lastPrinted === undefined ? '–' : instantText(new Date(lastPrinted)),
    ),
    '$PRINTER-FAULT$': printers.map(({ trouble }) => trouble ?? '–'),
  };
}

function stateText({ ofSessions, printers, connected }: PrinterReport): string {
  if (ofSessions) return `${connected} of ${printers} connected`;
  return connected > 0 ? 'Connected' : 'Not connected';
}
