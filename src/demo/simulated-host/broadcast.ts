import type { Panel } from './panel.js';

/** What operators tell everybody: it stands before the screen that an application shows, until a key is pressed. */
export function broadcast(panel: Panel): Panel {
  return panel
    .text(1, 2, 'BROADCAST', { colour: 'red', intensified: true })
    .text(3, 2, 'Message of the operators: the system will be stopped at 18:00.', { colour: 'yellow' })
    .text(24, 2, 'Any key=Go on', { colour: 'blue' });
}
