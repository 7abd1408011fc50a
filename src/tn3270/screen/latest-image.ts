import type { ScreenImage } from './screen-image.js';

/** Pictures that are kept, of all screens: those who are told of a change look within the same turn, a few sessions at a time. */
const PICTURES_KEPT = 4;

/**
 * The picture of a screen that was taken last, until those of enough other screens were. A picture is larger than its screen, and a
 * `WeakRef` would have each live until the next full collection, which thousands of pictures a second bring about.
 */
export class LatestImage {
  static readonly #kept: (LatestImage | undefined)[] = new Array(PICTURES_KEPT).fill(undefined);
  static #next = 0;

  #image: ScreenImage | undefined;

  get image(): ScreenImage | undefined {
    return this.#image;
  }

  keep(image: ScreenImage): void {
    if (this.#image === undefined) {
      const kept = LatestImage.#kept;
      const oldest = kept[LatestImage.#next];
      if (oldest !== undefined) oldest.#image = undefined;
      kept[LatestImage.#next] = this;
      LatestImage.#next = (LatestImage.#next + 1) % kept.length;
    }
    this.#image = image;
  }
}
