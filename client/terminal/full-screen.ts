import type { Action } from './action-registry.js';
import { words } from './words/words.js';

/** Keyboard Lock API. */
interface KeyboardOfBrowser {
  lock(): Promise<void>;
  unlock(): void;
}

/** In the workspace, the outer page goes full screen. */
function wholePage(): Window {
  try {
    return parent.document === undefined ? window : parent;
  } catch {
    return window;
  }
}

/** Full screen with keyboard lock, so that the terminal receives most keys of the browser. */
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
