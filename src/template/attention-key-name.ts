/** The name of an attention key as pages list it: PF1, F1, F01, P1 and P01 are written for PF01 (reference 2.3). */
export function attentionKeyName(written: string): string | undefined {
  const number = /^(?:PF|F|P)0?(\d{1,2})$/.exec(written)?.[1];
  if (number !== undefined && Number(number) >= 1 && Number(number) <= 24) {
    return `PF${String(Number(number)).padStart(2, '0')}`;
  }
  return /^(?:ENTER|CLEAR|PA[123]|ATTN|DISCONNECT|NULL-PF|SCENARIO[A-Z0-9-]{0,32})$/.test(written)
    ? written
    : undefined;
}
