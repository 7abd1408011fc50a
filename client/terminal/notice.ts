interface NoticeAction {
  readonly label: string;
  run(): void;
}

export interface ShownNotice {
  /** Replaces the text; the buttons and their focus stay. */
  say(text: string): void;
  close(): void;
}

export class Notices {
  readonly #place: HTMLElement;
  readonly #giveFocusBack: () => void;

  constructor(place: HTMLElement, giveFocusBack: () => void) {
    this.#place = place;
    this.#giveFocusBack = giveFocusBack;
  }

  /** Callers inform screen readers themselves (`Terminal.announce`). */
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
