import type { ScreenPicture } from './screen-picture.js';

/** A picture in capital letters, for `monoCase`. */
export function inCapitals(picture: ScreenPicture): ScreenPicture {
  return { ...picture, characters: picture.characters.map(capital) };
}

/** As many positions as before: ß stays. */
function capital(character: string): string {
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}
