import { attentionKeyNamed } from '../../../src/tn3270/keyboard/attention-keys.js';

/** Sent automatically when the cursor leaves a trigger field. */
export const TRIGGER = 'TRIGGER';

/** @param key in page notation (`ENTER`, `PF07`) or keyboard notation */
export function isAttentionKey(key: string): boolean {
  return attentionKeyNamed(key) !== undefined;
}

/** True for keys that erase the host's screen when sent. */
export function clearsScreen(key: string): boolean {
  return key.toUpperCase() === 'CLEAR';
}
