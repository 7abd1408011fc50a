/** A button of a notice. */
interface NoticeAction {
  readonly label: string;
  run(): void;
}

/** A notice that is shown. */
export interface ShownNotice {
  /** Other words in the same place; the buttons, and the focus on one of them, stay. */
  say(text: string): void;
  close(): void;
}

/** Where the user is told what the terminal cannot say on its screen: over its lowest rows, one notice below the other. */
export class Notices {
  readonly #place: HTMLElement;
  readonly #giveFocusBack: () => void;

  /** @param giveFocusBack for a notice that closes with the focus on it */
  constructor(place: HTMLElement, giveFocusBack: () => void) {
    this.#place = place;
    this.#giveFocusBack = giveFocusBack;
  }

  /** A button does what it says, and closes the notice. Said aloud it is by whoever shows it (`Terminal.announce`). */
  show(text: string, actions: readonly NoticeAction[] = []): ShownNotice {
    const notice = document.createElement('div');
    notice.className = 'notice';
    const words = document.createElement('p');
    words.textContent = text;
    const close = () => {
      const hadFocus = notice.contains(document.activeElement);
      notice.remove();
      if (hadFocus) this.#giveFocusBack();
    };
    const buttons = actions.map(({ label, run }) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.addEventListener('click', () => {
        close();
        run();
      });
      return button;
    });
    notice.append(words, ...buttons);
    this.#place.append(notice);
    return {
      say: (other) => {
        if (words.textContent !== other) words.textContent = other;
      },
      close,
    };
  }
}
