import type { PdfMark, Rendering, TemplateNode } from '../rendering.js';
import type { TagInvocation } from '../scanner.js';
import { bare, type Tag, type TagFamily, type TemplateBuilder } from '../template-builder.js';

const MOST = 255;

class Marking implements TemplateNode {
  constructor(readonly mark: PdfMark) {}

  render(rendering: Rendering): void {
    if (rendering.context.isPdf === true) rendering.markPdf(this.mark);
  }
}

/** `TAG "5"` or `TAG (5)`; undefined after a reported error. */
function numberOf(builder: TemplateBuilder, tag: TagInvocation, what: string): number | undefined {
  const values = [...(tag.parameters ?? []), ...tag.strings];
  const number = values.length === 1 && /^\d{1,3}$/.test(values[0] ?? '') ? Number(values[0]) : 0;
  if (number >= 1 && number <= MOST) return number;
  return builder.report(tag.offset, `${tag.name} takes a number${what}, from 1 to ${MOST}`);
}

function numbered(act: (builder: TemplateBuilder, tag: TagInvocation, number: number) => void, what = ''): Tag {
  return {
    parameters: 'optional',
    string: 'optional',
    compile: (builder, tag) => {
      const number = numberOf(builder, tag, what);
      if (number !== undefined) act(builder, tag, number);
    },
  };
}

/** Warns that a tag has no effect in options or layouts. */
function isInInput(builder: TemplateBuilder, tag: TagInvocation): boolean {
  const { opened } = builder.pdf;
  if (opened !== undefined)
    builder.report(
      tag.offset,
      `${tag.name} has no effect inside ${opened}: end ${opened} with PDF-NEW-INPUT first`,
      'warning',
    );
  return opened === undefined;
}

/** The reference (2.11) has only the names of most of these tags; templates.md documents their effect. */
export const pdfTags: TagFamily = {
  'PDF-LINES-PER-PAGE': numbered((builder, _tag, lines) => builder.pdf.linesPerPage(lines), ' of lines'),
  'PDF-NEW-DOCOPT': numbered((builder, _tag, number) => {
    builder.pdf.begin('DOCOPT', number);
    builder.append(new Marking({ kind: 'newOptions' }));
  }),
  'PDF-NEW-INPUT': bare((builder) => {
    builder.pdf.beginInput();
    builder.append(new Marking({ kind: 'newInput' }));
  }),
  'PDF-NEW-LAYOUT': numbered((builder, _tag, number) => {
    builder.pdf.begin('LAYOUT', number);
    builder.append(new Marking({ kind: 'newLayout', number }));
  }),
  'PDF-OUTLINE': bare((builder, tag) => {
    builder.pdf.use();
    if (isInInput(builder, tag)) builder.append(new Marking({ kind: 'outline' }));
  }),
  'PDF-PAGE-BREAK': bare((builder, tag) => {
    builder.pdf.use();
    if (isInInput(builder, tag)) builder.insert(({ isPdf }) => (isPdf === true ? '\f' : undefined));
  }),
  'PDF-USE-DOCOPT': numbered((builder, tag, number) => {
    builder.pdf.apply('DOCOPT', number, tag);
    if (isInInput(builder, tag)) builder.append(new Marking({ kind: 'useOptions', number }));
  }),
  'PDF-USE-LAYOUT': numbered((builder, tag, number) => {
    builder.pdf.apply('LAYOUT', number, tag);
    if (isInInput(builder, tag)) builder.append(new Marking({ kind: 'useLayout', number }));
  }),
  'PDF-VARIABLE': bare((builder) => builder.pdf.variable()),
};
