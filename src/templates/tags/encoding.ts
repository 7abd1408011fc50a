import type { Rendering, TemplateNode } from '../rendering.js';
import { type TagFamily, withString } from '../template-builder.js';

/**
 * HTTP charset of each country code. National codes select a host code page and share ISO-8859-1 here. The reference
 * lists P2 without its meaning.
 */
export const countryCharsets: Readonly<Record<string, string>> = {
  US: 'ISO-8859-1',
  FR: 'ISO-8859-1',
  NO: 'ISO-8859-1',
  IT: 'ISO-8859-1',
  GB: 'ISO-8859-1',
  DE: 'ISO-8859-1',
  BE: 'ISO-8859-1',
  FI: 'ISO-8859-1',
  ES: 'ISO-8859-1',
  IS: 'ISO-8859-1',
  'FR-850': 'CP850',
  L2: 'ISO-8859-2',
};

class CountryChange implements TemplateNode {
  constructor(
    readonly code: string,
    readonly charset: string,
  ) {}

  render(rendering: Rendering): void {
    rendering.countryCode = this.code;
    rendering.changeCharset(this.charset);
  }
}

export const encodingTags: TagFamily = {
  'SET-OUTPUT-ENCODING-UTF-8': {
    parameters: 'none',
    string: 'optional',
    compile: (builder, tag) => {
      const codePage = tag.strings[0] ?? '';
      if (/^[A-Za-z0-9_.-]{0,32}$/.test(codePage)) builder.uses.codePage = codePage;
      else builder.report(tag.offset, `${tag.name} takes the name of a code page, for example "IBM1147", or ""`);
    },
  },
  'SET-COUNTRY-CODE': withString((builder, tag) => {
    const code = tag.strings[0] ?? '';
    const charset = Object.hasOwn(countryCharsets, code) ? countryCharsets[code] : undefined;
    if (charset === undefined) {
      const known = Object.keys(countryCharsets).join(' ');
      const message =
        code === 'P2'
          ? 'the charset of P2 is not documented, so it is not supported'
          : `the code is not one of ${known}`;
      return builder.report(tag.offset, `${tag.name} "${code}": ${message}`);
    }
    builder.firstCharset ??= charset;
    builder.append(new CountryChange(code, charset));
  }),
};
