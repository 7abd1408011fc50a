import type { Tag } from '../tag.js';

/** The closing tag of a pair. Its string is optional; if present, it must match the opening tag. */
export const endTag: Tag = {
  parameters: 'none',
  string: 'optional',
  compile: (builder, tag) => builder.closePair(tag),
};
