/** Keys that send an attention identifier, by the names that operators know them under: the one table of them. */
export const attentionKeys: ReadonlySet<string> = new Set([
  'Enter',
  'Clear',
  'PA1',
  'PA2',
  'PA3',
  ...Array.from({ length: 24 }, (_, at) => `PF${at + 1}`),
]);

/** The attention key of a name in any case, a PF key also with a zero in front: `PF07`; undefined if it names none. */
export function attentionKeyNamed(written: string): string | undefined {
  const name = written.toUpperCase().replace(/^PF0(?=.$)/, 'PF');
  return [...attentionKeys].find((key) => key.toUpperCase() === name);
}

/** Whether a key, in any case, sends its identifier alone, without cursor and fields (GA23-0059, "Short read"). */
export function isShortReadKey(key: string): boolean {
  return /^(Clear|PA\d)$/i.test(key);
}
