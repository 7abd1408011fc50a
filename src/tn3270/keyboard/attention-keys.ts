import { aids } from '../datastream/aid.js';

export const attentionKeys: ReadonlySet<string> = new Set([
  'Enter',
  'Clear',
  'PA1',
  'PA2',
  'PA3',
  ...Array.from({ length: 24 }, (_, at) => `PF${at + 1}`),
]);

/** Ignores case and accepts a leading zero of a PF key, e.g. `PF07`. */
export function attentionKeyNamed(written: string): string | undefined {
  const name = written.toUpperCase().replace(/^PF0(?=.$)/, 'PF');
  return [...attentionKeys].find((key) => key.toUpperCase() === name);
}

/** True if the key sends only its identifier, without cursor and fields (GA23-0059, "Short read"). Ignores case. */
export function isShortReadKey(key: string): boolean {
  return /^(Clear|PA\d)$/i.test(key);
}

export const attentionIdentifiers: ReadonlyMap<string, number> = new Map(
  [...attentionKeys].map((key) => [key, aids[key.toLowerCase() as keyof typeof aids]]),
);

export const attentionKeysByIdentifier: ReadonlyMap<number, string> = new Map(
  [...attentionIdentifiers].map(([key, aid]) => [aid, key]),
);
