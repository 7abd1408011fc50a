import type { Action } from './actions.js';
import { words } from './words/words.js';

/** Of browsers that can give a page keys that they have for themselves. */
interface KeyboardOfBrowser {
  lock(): Promise<void>;
  unlock(): void;
}

/** A terminal in a tab of ours goes with the page around it. */
function wholePage(): Window {
  try {
    return parent.document === undefined ? window : parent;
  } catch {
    return window;
  }
}

/** The page without the window around it: there is the keyboard is the terminal's as far as the browser allows. */
export function fullScreenAction(say: (text: string) => void): Action {
  const page = wholePage();
  const { document } = page;
  const keyboard = () => (page.navigator as { readonly keyboard?: KeyboardOfBrowser }).keyboard;
  document.addEventListener('fullscreenchange', () => {
    if (document.fullscreenElement === null) keyboard()?.unlock();
  });

  async function enter(): Promise<void> {
    try {
      await document.documentElement.requestFullscreen();
    } catch {
      say(words('fullScreen.refused'));
      return;
    }
    const hasKeys = await keyboard()
      ?.lock()
      .then(
        () => true,
        () => false,
      );
    say(words(hasKeys === true ? 'fullScreen.allKeys' : 'fullScreen.entered'));
  }

  return {
    id: 'fullScreen',
    label: words('action.fullScreen'),
    run: () => void (document.fullscreenElement === null ? enter() : document.exitFullscreen()),
    isPossible: () => document.fullscreenEnabled,
  };
}
