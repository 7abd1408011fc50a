/** A keyboard on the glass takes more than this; the bars of a browser, less. */
const LEAST_KEYBOARD_PIXELS = 120;

/** Whether the device shows a keyboard of its own, and how much of the page it leaves. */
export class DeviceKeyboard {
  readonly #changed: (isUp: boolean) => void;
  /** The most that the window was high, by its width: turned, it is another one. */
  readonly #heights = new Map<number, number>();

  /** @param changed it has come or gone, or another part of the page is seen */
  constructor(changed: (isUp: boolean) => void) {
    this.#changed = changed;
    visualViewport?.addEventListener('resize', () => this.#look());
    visualViewport?.addEventListener('scroll', () => this.#look());
    addEventListener('resize', () => this.#look());
    this.#look();
  }

  #look(): void {
    const width = innerWidth;
    const scale = visualViewport?.scale ?? 1;
    const seen = Math.round((visualViewport?.height ?? innerHeight) * scale);
    const most = Math.max(this.#heights.get(width) ?? 0, seen, innerHeight);
    this.#heights.set(width, most);
    const isUp = matchMedia('(pointer: coarse)').matches && most - seen > LEAST_KEYBOARD_PIXELS;
    const { style } = document.documentElement;
    style.setProperty('--seen', `${seen}px`);
    // some browsers lay it over the page
    const covered = scale === 1 ? Math.max(0, innerHeight - seen - Math.round(visualViewport?.offsetTop ?? 0)) : 0;
    style.setProperty('--covered', `${covered}px`);
    this.#changed(isUp);
  }
}
