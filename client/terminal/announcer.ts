const MOST_LINES = 4;
const QUIET_MILLISECONDS = 250;
/** Limit for hosts that change the screen continuously. */
const LONGEST_MILLISECONDS = 2_000;

export class Announcer {
  readonly #region: HTMLElement;
  #told: readonly string[] = [];
  #lines: readonly string[] = [];
  #first = '';
  #text = '';
  #timer: number | undefined;
  #since: number | undefined;

  constructor(region: HTMLElement) {
    this.#region = region;
  }

  screenChanged(lines: readonly string[], first = ''): void {
    this.#lines = lines;
    if (first !== '') this.#first = first;
    this.#wait();
  }

  /** Cancels announcements of the previous screen; the answer to the action will be announced. */
  actedOn(): void {
    this.#told = this.#lines;
    this.#first = '';
  }

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
