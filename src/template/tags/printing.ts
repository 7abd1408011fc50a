import { escapeHostText } from '../screen-html.js';
import type { Tag, TagFamily } from '../tag.js';
import { Insertion } from './insertion.js';

const MOST_LINES_PER_PAGE = 255;

/** The reference names them, and says nothing of what they lay out. */
const names = [
  'PDF-NEW-DOCOPT',
  'PDF-NEW-INPUT',
  'PDF-NEW-LAYOUT',
  'PDF-OUTLINE',
  'PDF-USE-DOCOPT',
  'PDF-USE-LAYOUT',
  'PDF-VARIABLE',
];

const otherPdfTags: TagFamily = Object.fromEntries(
  names.map((name): [string, Tag] => [
    name,
    {
      parameters: 'optional',
      string: 'optional',
      mostStrings: 8,
      compile: (builder, tag) =>
        builder.report(
          tag.offset,
          `${tag.name} is not supported: the form of the printer, PDF-LINES-PER-PAGE and PDF-PAGE-BREAK say how a PDF looks`,
        ),
    },
  ]),
);

/** Reference 2.11. */
export const printingTags: TagFamily = {
  ...otherPdfTags,
  /** `PDF-LINES-PER-PAGE "60"` or `(60)`: for the whole document; the last one of the page counts. */
  'PDF-LINES-PER-PAGE': {
    parameters: 'optional',
    string: 'optional',
    compile: (builder, tag) => {
      const values = [...(tag.parameters ?? []), ...tag.strings];
      const lines = values.length === 1 && /^\d{1,3}$/.test(values[0] ?? '') ? Number(values[0]) : 0;
      if (lines < 1 || lines > MOST_LINES_PER_PAGE) {
        builder.report(tag.offset, `${tag.name} takes a number of lines, from 1 to ${MOST_LINES_PER_PAGE}`);
      } else {
        builder.uses.pdf = { linesPerPage: lines };
      }
    },
  },
  /** What follows stands on another page. */
  'PDF-PAGE-BREAK': {
    parameters: 'none',
    string: 'none',
    compile: (builder) => {
      builder.uses.pdf ??= { linesPerPage: undefined };
      builder.append(new Insertion(({ isPdf }) => (isPdf === true ? '\f' : undefined)));
    },
  },
  /** `PRINT (0)`: the document that a page was asked for with `++PrintSvcSession=`. It comes from the host: it is always escaped where markup is. */
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
        new Insertion(({ printedText, isPdf }) =>
          printedText === undefined || isPdf === true ? printedText : escaped(printedText),
        ),
      );
    },
  },
};
