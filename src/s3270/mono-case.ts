import { capitalOf } from '../lib/text/letter-case.js';
import type { ScreenPicture } from './screen-picture.js';

/** A picture in capital letters, for `monoCase`. */
export function inCapitals(picture: ScreenPicture): ScreenPicture {
  return { ...picture, characters: picture.characters.map(capitalOf) };
}
