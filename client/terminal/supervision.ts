import type { OperatorMessage, WatchedMessage } from '../../src/terminal/protocol/server-message.js';
import type { Notices } from './notice.js';
import { keepOfPage, ofPage } from './page-storage.js';
import { words } from './words/words.js';

const READ = 'operator-message';

interface SupervisedTerminal {
  readonly notices: Notices;
  announce(text: string): void;
}

/** Messages of operators, shown until read, and names of operators who watch or trace, shown while they do. */
export class Supervision {
  readonly #terminal: SupervisedTerminal;
  readonly #path: string;
  #last: number;
  #watched: HTMLElement | undefined;

  constructor(terminal: SupervisedTerminal, path: string) {
    this.#terminal = terminal;
    this.#path = path;
    this.#last = Number(ofPage(READ, path) ?? 0);
  }

  take(message: OperatorMessage | WatchedMessage): void {
    if (message.k === 'v') this.#showWatchers(message.b ?? [], message.t ?? []);
    else if (message.i > this.#last) this.#show(message);
  }

  #show({ i: number, b: name, m: message }: OperatorMessage): void {
    this.#last = number;
    const text = words('operator.message', { name, message });
    this.#terminal.notices.show(text, [
      { label: words('operator.read'), run: () => keepOfPage(READ, this.#path, number) },
    ]);
    this.#terminal.announce(text);
  }

  /** Placed above the screen, because it would cover rows for a long time. */
  #showWatchers(watchers: readonly string[], tracers: readonly string[]): void {
    const wasWatched = this.#watched !== undefined;
    this.#watched?.remove();
    this.#watched = undefined;
    if (watchers.length + tracers.length === 0) {
      if (wasWatched) this.#terminal.announce(words('operator.unwatched'));
      return;
    }
    const watched = document.createElement('p');
    watched.className = 'watched';
    watched.textContent = [
      watchers.length === 0 ? '' : words('operator.watched', { names: watchers.join(', ') }),
      tracers.length === 0 ? '' : words('operator.traced', { names: tracers.join(', ') }),
    ]
      .filter(Boolean)
      .join(' ');
    document.querySelector('main')?.prepend(watched);
    this.#watched = watched;
    this.#terminal.announce(watched.textContent);
  }
}
