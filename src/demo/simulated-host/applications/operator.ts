import type { Application } from '../application.js';
import { faultDescriptions, terminalFaultNames } from '../fault-switches.js';

/** Orders faults, for this terminal alone. */
export const operator: Application = async (terminal, host) => {
  let message = '';
  for (;;) {
    const panel = terminal
      .panel()
      .text(1, 2, 'OPERATOR', { colour: 'turquoise' })
      .text(1, 30, 'Faults of this terminal', { colour: 'neutralWhite', intensified: true })
      .text(3, 2, 'Y orders a fault, N ends it:', { colour: 'green' });
    for (const [at, name] of terminalFaultNames.entries()) {
      panel
        .input(name, 5 + at, 4, { length: 1, value: host.faults.has(name) ? 'Y' : 'N', highlighting: 'underscore' })
        .text(5 + at, 8, name.padEnd(12), { colour: 'neutralWhite' })
        .text(5 + at, 21, faultDescriptions[name], { colour: 'green' });
    }
    panel.text(22, 2, message, { colour: 'yellow' }).text(24, 2, 'ENTER=Order   F3=Menu', { colour: 'blue' });
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    for (const name of terminalFaultNames) {
      if ((fields[name] ?? '').toUpperCase() === 'Y') host.faults.add(name);
      else host.faults.delete(name);
    }
    message = host.faults.size === 0 ? 'There are no faults' : `Ordered: ${[...host.faults].join(', ')}`;
  }
};
