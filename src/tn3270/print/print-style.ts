import { attributeTypes, colours, highlightings } from '../datastream/attributes.js';

/** How a character is printed: bits, and a colour in the upper four. 0 is plain. */
export type PrintStyle = number;

export const printStyles = { plain: 0x00, bold: 0x01, underscore: 0x02, reverse: 0x04 } as const;

const HIGHLIGHTS = printStyles.bold | printStyles.underscore | printStyles.reverse;
const COLOUR_SHIFT = 4;

const styleOfHighlighting: Readonly<Record<number, PrintStyle>> = {
  [highlightings.intensify]: printStyles.bold,
  [highlightings.underscore]: printStyles.underscore,
  [highlightings.reverse]: printStyles.reverse,
};

export type InkName = 'black' | 'blue' | 'red' | 'pink' | 'green' | 'turquoise' | 'yellow';

const inks: readonly InkName[] = ['black', 'blue', 'red', 'pink', 'green', 'turquoise', 'yellow'];

/** What Set Attribute, in either data stream, makes of a style. Attributes that paper does not show change nothing. */
export function withAttribute(style: PrintStyle, type: number, value: number): PrintStyle {
  switch (type) {
    case attributeTypes.resetAll:
      return printStyles.plain;
    case attributeTypes.highlighting:
      return (style & ~HIGHLIGHTS) | (styleOfHighlighting[value] ?? printStyles.plain);
    case attributeTypes.foreground:
      return (style & HIGHLIGHTS) | (inkNumber(value) << COLOUR_SHIFT);
    default:
      return style;
  }
}

/** Neutral and the colours that a 3287 has no ribbon for are printed black. */
function inkNumber(value: number): number {
  const number = value - colours.neutralBlack;
  return number > 0 && number < inks.length ? number : 0;
}

export function inkOf(style: PrintStyle): InkName {
  return inks[style >> COLOUR_SHIFT] ?? 'black';
}
