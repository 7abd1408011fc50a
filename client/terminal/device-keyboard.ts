/** An on-screen keyboard is higher than this; browser bars are lower. */
const LEAST_KEYBOARD_PIXELS = 120;

export class DeviceKeyboard {
  readonly #changed: (isUp: boolean) => void;
  /** Largest window height by width: rotation changes the width. */
  readonly #heights = new Map<number, number>();

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
    // some browsers overlay the keyboard on the page
    const covered = scale === 1 ? Math.max(0, innerHeight - seen - Math.round(visualViewport?.offsetTop ?? 0)) : 0;
    style.setProperty('--covered', `${covered}px`);
    this.#changed(isUp);
  }
}
