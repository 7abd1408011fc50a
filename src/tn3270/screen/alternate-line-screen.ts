import { Planes } from './planes.js';
import type { ScreenState } from './screen-state.js';

/** The second screen of a line terminal, for programs that fill it: it is empty when it comes, and leaves the first as it was. */
export class AlternateLineScreen {
  #first: { readonly planes: Planes; readonly lineCharacters: Uint32Array | undefined } | undefined;

  show(state: ScreenState, isShown: boolean): void {
    const { planes } = state.space;
    state.noteErased();
    if (isShown && this.#first === undefined) {
      const kept = new Planes(planes.positions, planes.hasDoubleByte);
      kept.copyFrom(planes);
      this.#first = { planes: kept, lineCharacters: state.lineCharacters };
      planes.clear();
      state.lineCharacters = undefined;
    } else if (!isShown && this.#first !== undefined) {
      planes.copyFrom(this.#first.planes);
      state.lineCharacters = this.#first.lineCharacters;
      this.forget();
    }
  }

  forget(): void {
    this.#first = undefined;
  }
}
