import type { Tag } from '../tag.js';

/** The closing tag of a pair. Its string may be left out; where it is there, it is that of the opening tag. */
export const endTag: Tag = {
  parameters: 'none',
  string: 'optional',
  compile: (builder, tag) => builder.closePair(tag),
};
