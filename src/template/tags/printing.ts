import { escapeHostText } from '../screen-html.js';
import type { Tag, TagFamily } from '../tag.js';
import { Insertion } from './insertion.js';

const names = [
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

/** Recognised and refused: how a PDF looks is said by the form of its printer, in the configuration. */
const pdfTags: TagFamily = Object.fromEntries(
  names.map((name): [string, Tag] => [
    name,
    {
      parameters: 'optional',
      string: 'optional',
      mostStrings: 8,
      compile: (builder, tag) =>
        builder.report(tag.offset, `${tag.name} is not supported: the form of the printer says how its PDF looks`),
    },
  ]),
);

/** Reference 2.11. */
export const printingTags: TagFamily = {
  ...pdfTags,
  /** `PRINT (0)`: the document that a page was asked for with `++PrintSvcSession=`. It comes from the host: it is always escaped. */
  PRINT: {
    parameters: 'optional',
    string: 'none',
    compile: (builder, tag) => {
      const [which = '0', ...others] = tag.parameters ?? [];
      if (which !== '0' || others.length > 0) {
        builder.report(tag.offset, `${tag.name} takes (0), the document that the page was asked for`);
        return;
      }
      const escaped = builder.escape ?? escapeHostText;
      builder.append(
        new Insertion(({ printedText }) => (printedText === undefined ? undefined : escaped(printedText))),
      );
    },
  },
};
