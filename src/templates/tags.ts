import { conditionalTags } from './tags/conditionals.js';
import { cryptoTags } from './tags/crypto.js';
import { definitionTags } from './tags/definitions.js';
import { encodingTags } from './tags/encoding.js';
import { eventTags } from './tags/events.js';
import { fieldDeclarationTags } from './tags/field-declarations.js';
import { httpTags } from './tags/http.js';
import { loopTags } from './tags/loops.js';
import { nameTags } from './tags/names.js';
import { optionTags } from './tags/options.js';
import { pdfTags } from './tags/pdf.js';
import { printingTags } from './tags/printing.js';
import { screenContentTags } from './tags/screen-content.js';
import { screenFieldTags } from './tags/screen-fields.js';
import { screenStyleTags } from './tags/screen-styles.js';
import { sessionTags } from './tags/session.js';
import { valueTags } from './tags/values.js';
import type { Tag } from './template-builder.js';

/** A new family is a file under `tags/` and an entry here. */
export const tags: ReadonlyMap<string, Tag> = new Map(
  Object.entries({
    ...valueTags,
    ...loopTags,
    ...definitionTags,
    ...conditionalTags,
    ...eventTags,
    ...sessionTags,
    ...cryptoTags,
    ...optionTags,
    ...nameTags,
    ...encodingTags,
    ...httpTags,
    ...fieldDeclarationTags,
    ...screenContentTags,
    ...screenFieldTags,
    ...screenStyleTags,
    ...printingTags,
    ...pdfTags,
  }),
);
