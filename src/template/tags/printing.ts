import type { Tag, TagFamily } from '../tag.js';

const names = [
  'PRINT',
  'PDF-LINES-PER-PAGE',
  'PDF-NEW-DOCOPT',
  'PDF-NEW-INPUT',
  'PDF-NEW-LAYOUT',
  'PDF-OUTLINE',
  'PDF-PAGE-BREAK',
  'PDF-USE-DOCOPT',
  'PDF-USE-LAYOUT',
  'PDF-VARIABLE',
];

/** Reference 2.11: recognised and refused, as there is no virtual printer to ask. */
export const printingTags: TagFamily = Object.fromEntries(
  names.map((name): [string, Tag] => [
    name,
    {
      parameters: 'optional',
      string: 'optional',
      mostStrings: 8,
      compile: (builder, tag) =>
        builder.report(tag.offset, `${tag.name} needs a virtual printer, which this version does not have`),
    },
  ]),
);
