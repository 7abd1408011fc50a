import { attentionKeyNamed } from '../tn3270/keyboard/attention-keys.js';

const furtherNames = /^(?:ATTN|DISCONNECT|NULL-PF|SCENARIO[A-Z0-9-]{0,32})$/;

/** Canonical name in lists of keys (reference 2.3): PF1, F1, F01, P1 and P01 become PF01. */
export function attentionKeyName(written: string): string | undefined {
  const number = /^(?:PF|F|P)0?(\d{1,2})$/.exec(written)?.[1];
  if (number !== undefined) {
    return attentionKeyNamed(`PF${Number(number)}`) && `PF${String(Number(number)).padStart(2, '0')}`;
  }
  const isKnown = attentionKeyNamed(written)?.toUpperCase() === written || furtherNames.test(written);
  return isKnown ? written : undefined;
}
