import type { ScreenState } from '../../tn3270/screen/screen-state.js';
import { typedRepertoire } from '../../tn3270/screen/typed-repertoire.js';
import type { CharactersMessage } from './server-message.js';

/** Tells a page the characters that its terminal takes. */
export function charactersMessage({ codePage }: Pick<ScreenState, 'codePage'>): CharactersMessage {
  const { narrow, wide, wideOthers } = typedRepertoire(codePage);
  const w = wide && Buffer.from(wide).toString('base64');
  return { k: 'c', s: narrow, w, x: wideOthers.length === 0 ? undefined : wideOthers };
}
