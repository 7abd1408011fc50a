import { MASK } from './secret-text.js';

/** What XML is made of: CDATA, comments, other markup that is no element, tags, text. A text that was cut off may end within one. */
const PIECE =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<(\/?)([^\s<>/]+)((?:"[^"]*"|'[^']*'|[^"'<>])*)>?|[^<]+|</g;
const CDATA = '<![CDATA[';
const ATTRIBUTE = /([^\s"'=/]+)(\s*=\s*)("[^"]*"|'[^']*')/g;

/**
 * XML in which elements and attributes are masked whose names are those of secrets, with the text, the CDATA and the elements
 * within. It need not be well-formed; where the end of such an element is missing, all the rest is masked.
 *
 * @param meet is given what was masked, as it was written
 */
export function withoutSecretElements(
  xml: string,
  isSecret: (localName: string) => boolean,
  meet: (secret: string) => void = () => {},
): string {
  let masked: { readonly name: string; depth: number } | undefined;
  return xml.replace(PIECE, (piece, slash: string | undefined, name: string | undefined, rest = '') => {
    const isTag = name !== undefined && slash !== undefined;
    const isEmpty = isTag && /\/\s*$/.test(rest);
    if (masked === undefined) {
      if (!isTag) return piece;
      const attributes = rest.replace(
        ATTRIBUTE,
        (attribute: string, attributeName: string, sign: string, value: string) => {
          if (!isSecret(localNameOf(attributeName))) return attribute;
          meet(value.slice(1, -1));
          return `${attributeName}${sign}"${MASK}"`;
        },
      );
      const tag = `<${slash}${name}${attributes}${piece.endsWith('>') ? '>' : ''}`;
      if (slash === '/' || isEmpty || !isSecret(localNameOf(name))) return tag;
      masked = { name, depth: 1 };
      return `${tag}${MASK}`;
    }
    if (!isTag) meet(piece.startsWith(CDATA) ? piece.slice(CDATA.length).replace(/\]\]>$/, '') : piece);
    if (name !== masked.name || isEmpty) return '';
    masked.depth += slash === '/' ? -1 : 1;
    if (masked.depth > 0) return '';
    masked = undefined;
    return piece;
  });
}

function localNameOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
