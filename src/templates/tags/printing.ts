import { escapeHostText } from '../screen-html.js';
import type { TagFamily } from '../template-builder.js';

export const printingTags: TagFamily = {
  /**
   * `PRINT (0)`: document of a page requested with `++PrintSvcSession=`. Because it comes from the host, it is always
   * escaped in markup.
   */
  PRINT: {
    parameters: 'optional',
    string: 'none',
    compile: (builder, tag) => {
      const [which = '0', ...others] = tag.parameters ?? [];
      if (which !== '0' || others.length > 0)
        return builder.report(tag.offset, `${tag.name} takes (0), the requested document`);
      const escaped = builder.escape ?? escapeHostText;
      builder.insert(({ printedText, isPdf }) =>
        printedText === undefined || isPdf === true ? printedText : escaped(printedText),
      );
    },
  },
};
