import { type EarlyStroke, releaseEarlyStrokes } from './early-strokes.js';
import type { Terminal } from './terminal.js';
import { words } from './words/words.js';

/**
 * Plays early keystrokes on the first screen of the session. If the page was painted with another screen, it discards the keystrokes
 * and tells the user.
 */
export function playEarlyStrokes(terminal: Terminal): void {
  let isWaiting = true;
  terminal.listen({
    screen: () => {
      if (!isWaiting) return;
      isWaiting = false;
      releaseEarlyStrokes({
        shown: terminal.model,
        play: (stroke) => play(stroke, terminal),
        discarded: () => terminal.say(words('early.discarded')),
      });
    },
    ended: () => releaseEarlyStrokes({ discarded: () => {} }),
  });
}

function play(stroke: EarlyStroke, { user, model, element }: Terminal): void {
  switch (stroke.did) {
    case 'pressed': {
      const event = { ...stroke.press, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', event));
      if (stroke.isModifier) element.dispatchEvent(new KeyboardEvent('keyup', event));
      break;
    }
    case 'typed':
      user.type(stroke.text);
      break;
    case 'pasted':
      user.paste(stroke.text);
      break;
    case 'placed': {
      const { address, rows, columns } = stroke.place;
      user.moveTo(address + rows * model.columns + columns, true);
    }
  }
}
