import { aids } from '../datastream/aid.js';
import { attentionKeys } from './attention-keys.js';

export const attentionIdentifiers: ReadonlyMap<string, number> = new Map(
  [...attentionKeys].map((key) => [key, aids[key.toLowerCase() as keyof typeof aids]]),
);

export const attentionKeysByIdentifier: ReadonlyMap<number, string> = new Map(
  [...attentionIdentifiers].map(([key, aid]) => [aid, key]),
);
