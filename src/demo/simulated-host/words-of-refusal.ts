import type { RejectReason } from '../../tn3270/telnet/tn3270e-words.js';

const words: Readonly<Partial<Record<RejectReason, string>>> = {
  deviceInUse: 'The device is in use, or all of them are.',
  invalidName: 'There is no device of this name.',
};

/** What a terminal is told that plain TN3270 has no word for. @param reason why it gets no device; undefined: it is no 3270 terminal */
export function wordsOfRefusal(reason: RejectReason | undefined): string {
  return (reason === undefined ? undefined : words[reason]) ?? 'This host talks to 3270 terminals only.';
}
