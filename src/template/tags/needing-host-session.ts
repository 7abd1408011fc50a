import type { Tag, TagFamily } from '../tag.js';
import type { TagInvocation } from '../tag-invocation.js';
import type { TemplateBuilder } from '../template-builder.js';

const plain = [
  // reference 2.2
  'GENERATE-HTML',
  'COPY-FROM',
  'CREATE-VARIABLE-FROM',
  'DEFINE-HTML-FIELD-NAME',
  'DEFINE-HTML-FIELD',
  'DEFINE-DFHMDF-NAME',
  'DEFINE-DFHMDF-COLUMN',
  'GENERATE-VARIABLES',
  'GENERATE-SVC3270',
  'POSITION-OF-THE-CURSOR',
  'FIELD-WITH-CURSOR',
  'DEFAULT-FIELD-WITH-CURSOR',
  // reference 2.11
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

/** Reference 2.4. */
const holdingText = [
  'ON-ATTRIBUTE',
  'ON-END-OF-ATTRIBUTE',
  'ON-CHARACTER-ATTRIBUTE',
  'ON-END-OF-CHARACTER-ATTRIBUTE',
  'ADD-TO-FIELDS',
];

/** Tags of the reference that are recognised and refused: there is no host session to ask. */
export const tagsNeedingHostSession: TagFamily = Object.fromEntries([
  ...plain.map((name): [string, Tag] => [
    name,
    { parameters: 'optional', string: 'optional', mostStrings: 8, compile: refuse },
  ]),
  ...holdingText.map((name): [string, Tag] => [
    name,
    {
      parameters: 'optional',
      string: 'none',
      holdsText: true,
      compile: (builder, tag) => {
        refuse(builder, tag);
        builder.openText(tag, () => undefined);
      },
    },
  ]),
]);

function refuse(builder: TemplateBuilder, tag: TagInvocation): void {
  builder.report(tag.offset, `${tag.name} needs a host session, which this version does not have yet`);
}
