/** Keys that go to the host, by the names that the page has for them: `ENTER`, `PF07`, or as the server's keyboard names them. */
const attentionKey = /^(?:ENTER|CLEAR|PA[123]|PF(?:0?[1-9]|1\d|2[0-4]))$/i;

/** The trigger field sends this one by itself, when the cursor leaves it. */
export const TRIGGER = 'TRIGGER';

export function isAttentionKey(key: string): boolean {
  return attentionKey.test(key);
}

/** Clear and the program access keys go without fields, and nothing is checked for them. */
export function sendsFields(key: string): boolean {
  return !/^(?:CLEAR|PA[123])$/i.test(key);
}

/** The host's screen is clear as soon as this one is sent. */
export function clearsScreen(key: string): boolean {
  return key.toUpperCase() === 'CLEAR';
}
