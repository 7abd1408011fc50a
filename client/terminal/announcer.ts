const MOST_LINES = 4;
const QUIET_MILLISECONDS = 250;
/** Of a host that never rests. */
const LONGEST_MILLISECONDS = 2_000;

/** Says aloud, through a live region, what the host has changed: the first few lines that are new, and the state of the keyboard. */
export class Announcer {
  readonly #region: HTMLElement;
  /** Of the screen that was told last. */
  #told: readonly string[] = [];
  #lines: readonly string[] = [];
  #first = '';
  #text = '';
  #timer: number | undefined;
  /** When something began to wait. */
  #since: number | undefined;

  constructor(region: HTMLElement) {
    this.#region = region;
  }

  /** @param lines of the screen, as text @param first what is said before them */
  screenChanged(lines: readonly string[], first = ''): void {
    this.#lines = lines;
    if (first !== '') this.#first = first;
    this.#wait();
  }

  /** Of the screen that the user acts on nothing is told any more: what its answer changes is. */
  actedOn(): void {
    this.#told = this.#lines;
    this.#first = '';
  }

  /** The latest of several in a short time is said. */
  say(text: string): void {
    if (text === '') return;
    this.#text = text;
    this.#wait();
  }

  #wait(): void {
    const now = performance.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    const longest = this.#since + LONGEST_MILLISECONDS - now;
    this.#timer = window.setTimeout(() => this.#tell(), Math.max(0, Math.min(QUIET_MILLISECONDS, longest)));
  }

  #tell(): void {
    const known = new Set(this.#told);
    const fresh = this.#lines.filter((line) => line !== '' && !known.has(line));
    const parts = [this.#first, ...fresh.slice(0, MOST_LINES)].filter((part) => part !== '');
    const shown = fresh.length > MOST_LINES ? `${parts.join('. ')} …` : parts.join('. ');
    const text = [shown, this.#text].filter((part) => part !== '').join('. ');
    this.#told = this.#lines;
    this.#first = '';
    this.#text = '';
    this.#since = undefined;
    if (text !== '') this.#region.textContent = text;
  }
}
