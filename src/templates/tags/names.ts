import { codePointCount, firstCodePoints } from '../../lib/text/characters.js';
import { bare, type Tag, type TagFamily, withList, withString } from '../template-builder.js';

const LONGEST = 4096;

export const nameItems: ReadonlySet<string> = new Set([
  'SVC',
  'RELAY',
  'PRINT-RELAY',
  'TERMINAL',
  'PSEUDO-TERMINAL',
  'ENTRY-POINT',
  'LINE-INTERNAL',
  'LINE-EXTERNAL',
  'GROUP',
  'USER',
  'PASSWORD',
  'USER-IP-ADDRESS',
  'SNA-STATUS',
  'TRANSACTION-INTERNAL',
  'TRANSACTION-EXTERNAL',
  'URL',
  'QUERY',
  'PAGE',
  'PAGE-INTERNAL',
  'DIRECTORY',
  'CHARACTER-SET',
  'DATE-TIME',
  'DEMO-CURRENCY-SERVICE',
  'SVC-VERSION',
]);
const symbolItem = /^[A-Z0-9$#@]{1,8}-SYMBOL$/;
const numberItems = ['SCREEN-COLUMNS', 'SCREEN-LINES', 'SCREEN-INPUT-FIELDS', 'SCREEN-FIELDS'];

/** Exactly `length` code points. */
function filledTo(text: string, length: number): string {
  const shown = firstCodePoints(text, length);
  return shown + ' '.repeat(length - codePointCount(shown));
}

/** Reference 2.7. Names are escaped like values, because some come from requests (URL, QUERY). */
export const nameTags: TagFamily = {
  'NAME-OF': withList((builder, tag) => {
    const [item = '', width, ...others] = tag.parameters ?? [];
    if (!nameItems.has(item) && !symbolItem.test(item)) {
      const nearest = builder.guesses.nearest(item, nameItems);
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      return builder.report(tag.offset, `${tag.name}: the item ${item} is not known${hint}`);
    }
    const length = width === undefined || !/^\d{1,4}$/.test(width) ? undefined : Number(width);
    if (others.length > 0 || (width !== undefined && (length === undefined || length < 1 || length > LONGEST))) {
      return builder.report(
        tag.offset,
        `${tag.name} takes (item) or (item,length), with a length from 1 to ${LONGEST}`,
      );
    }
    const escapeValue = builder.escape;
    builder.insert((context) => {
      const name = context.nameOf(item) ?? '';
      const shown = length === undefined ? name : filledTo(name, length);
      return escapeValue === undefined ? shown : escapeValue(shown);
    });
  }),
  'NUMBER-OF': withList((builder, tag) => {
    const [item = '', ...others] = tag.parameters ?? [];
    if (!numberItems.includes(item) || others.length > 0)
      return builder.report(tag.offset, `${tag.name} takes one item of ${numberItems.join(', ')}`);
    builder.insert((context) => context.numberOf(item)?.toString());
  }),
  'IP-ADDRESS-OF-LINE': lineTag(({ host }) => host),
  'IP-PORT-OF-LINE': lineTag(({ port }) => String(port)),
  'COUNTRY-CODE': bare((builder) => builder.insert((_, rendering) => rendering.countryCode)),
};

function lineTag(part: (address: { readonly host: string; readonly port: number }) => string): Tag {
  return withString((builder, tag) => {
    const line = tag.strings[0] ?? '';
    builder.insert((context) => {
      const address = context.addressOfLine?.(line);
      return address === undefined ? undefined : part(address);
    });
  });
}
