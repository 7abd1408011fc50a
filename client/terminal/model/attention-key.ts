import { attentionKeyNamed } from '../../../src/tn3270/keyboard/attention-keys.js';

/** The trigger field sends this one by itself, when the cursor leaves it. */
export const TRIGGER = 'TRIGGER';

/** Whether a key goes to the host, by the names that the page has: `ENTER`, `PF07`, or as the server's keyboard names it. */
export function isAttentionKey(key: string): boolean {
  return attentionKeyNamed(key) !== undefined;
}

/** The host's screen is clear as soon as this one is sent. */
export function clearsScreen(key: string): boolean {
  return key.toUpperCase() === 'CLEAR';
}
