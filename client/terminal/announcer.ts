const MOST_LINES = 4;
const QUIET_MILLISECONDS = 250;

/** Says aloud, through a live region, what the host has changed: the first few lines that are new, and the state of the keyboard. */
export class Announcer {
  readonly #region: HTMLElement;
  #before: readonly string[] = [];
  #timer: number | undefined;
  #pending = '';

  constructor(region: HTMLElement) {
    this.#region = region;
  }

  /** @param lines of the screen, as text @param first what is said before them */
  screenChanged(lines: readonly string[], first = ''): void {
    const known = new Set(this.#before);
    const fresh = lines.filter((line) => line !== '' && !known.has(line));
    this.#before = lines;
    const shown = [first, ...fresh.slice(0, MOST_LINES)].filter((text) => text !== '').join('. ');
    this.say(fresh.length > MOST_LINES ? `${shown} …` : shown);
  }

  say(text: string): void {
    if (text === '' || text === this.#pending) return;
    this.#pending = text;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#region.textContent = this.#pending;
      this.#pending = '';
    }, QUIET_MILLISECONDS);
  }
}
