import { fieldAttributeBits, isIntensified } from '../tn3270/datastream/field-attribute.js';
import { type InformationMark, informationRows, type ScreenInformation } from './information-area.js';
import { fieldAt, type ScreenSnapshot } from './screen-snapshot.js';

export type PrintForm = 'text' | 'html' | 'rtf';

interface PrintOptions {
  readonly form: PrintForm;
  readonly caption: string | undefined;
  readonly information: ScreenInformation | undefined;
}

/** Indexed by colour attribute values minus 0xF0. */
const colourNames = [
  ...['black', 'deepSkyBlue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'white'],
  ...['black', 'blue3', 'orange', 'deepSkyBlue', 'paleGreen', 'paleTurquoise', 'grey', 'white'],
] as const;
/** Colours of fields without a colour attribute, indexed by the protected and intensified bits. */
const usualColours = ['green', 'red', 'deepSkyBlue', 'white'] as const;
const INTENSIFIED_BIT = 0x08;
const highlightingBits = { blink: 0x01, reverse: 0x02, underscore: 0x04, intensify: 0x08 } as const;

interface Look {
  readonly colour: string;
  readonly background: string;
  readonly isBold: boolean;
  readonly isUnderlined: boolean;
}

/** Fonts and colours of the RTF output; `\f0` is a monospaced font, `\fs16` is 8 points. */
const RTF_HEAD =
  '{\\rtf1\\ansi\\ansicpg1252\\deff0\\deflang1033{\\fonttbl{\\f0\\fmodern\\fprq1\\fcharset0 Courier New;}}\n' +
  '{\\colortbl ;\\red255\\green255\\blue255;\\red0\\green0\\blue0;}\\viewkind4\\uc1\\pard\\f0\\fs16 ';

/** Source: the output of s3270 4.1, line by line. */
export function printScreen(picture: ScreenSnapshot, options: PrintOptions): string[] {
  switch (options.form) {
    case 'text':
      return pictureRows(picture, options);
    case 'html':
      return [...htmlHead(options.caption), ...htmlTable(picture, options.information), ...HTML_TAIL];
    case 'rtf':
      return rtfOf(picture, options);
  }
}

function rowsOf({ rows, columns, characters }: ScreenSnapshot): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => row * columns + column).filter((at) => characters[at] !== ''),
  );
}

function pictureRows(picture: ScreenSnapshot, { caption, information }: PrintOptions): string[] {
  return [
    ...(caption === undefined ? [] : [caption, '']),
    ...rowsOf(picture).map((row) => row.map((at) => picture.characters[at]).join('')),
    ...informationRows(picture, information).map((row) => row.map(({ character }) => character).join('')),
  ];
}

export function htmlHead(caption: string | undefined): string[] {
  return [
    '<html>',
    '<head>',
    ' <meta http-equiv="Content-Type" content="text/html; charset=UTF-8">',
    '</head>',
    ' <body>',
    ...(caption === undefined ? [] : [`<p>${escapeHtml(caption)}</p>`]),
  ];
}

export const HTML_TAIL = [' </body>', '</html>'] as const;

export function htmlTable(picture: ScreenSnapshot, information?: ScreenInformation): string[] {
  const looks = looksOf(picture);
  const screenRows = rowsOf(picture).map((row) =>
    row.map((at) => ({ character: picture.characters[at] ?? '', look: looks[at] as Look })),
  );
  const furtherRows = informationRows(picture, information).map((row) =>
    row.map(({ character, mark }) => ({ character, look: informationLooks[mark] })),
  );
  let current = styleOf(fieldLook(picture, fieldAt(picture, 0)));
  let text = `  <table border=0><tr bgcolor=black><td><pre><span style="${current}">`;
  [...screenRows, ...furtherRows].forEach((row, index) => {
    if (index > 0) text += '\n';
    for (const { character, look } of row) {
      const style = styleOf(look);
      if (style !== current) text += `</span><span style="${style}">`;
      current = style;
      text += escapeHtml(character);
    }
  });
  return [...`${text}</span></pre></td></tr>`.split('\n'), '  </table>'];
}

const plainInformation: Look = { colour: 'deepSkyBlue', background: 'black', isBold: false, isUnderlined: false };
const informationLooks: Readonly<Record<InformationMark, Look>> = {
  plain: plainInformation,
  bold: { ...plainInformation, colour: 'white', isBold: true },
  alarming: { ...plainInformation, colour: 'red', isBold: true },
  reversed: { ...plainInformation, colour: 'black', background: 'deepSkyBlue' },
  underlined: { ...plainInformation, isUnderlined: true },
};

function styleOf({ colour, background, isBold, isUnderlined }: Look): string {
  const weight = isBold ? 'bold' : 'normal';
  const decoration = isUnderlined ? 'underline' : 'none';
  return `color:${colour};background:${background};font-weight:${weight};font-style:normal;text-decoration:${decoration}`;
}

function valuesOf(picture: ScreenSnapshot, type: '41' | '42' | '45'): Uint8Array {
  return picture.extended.find((plane) => plane.type === type)?.values as Uint8Array;
}

function looksOf(picture: ScreenSnapshot): Look[] {
  const highlightings = valuesOf(picture, '41');
  let field = fieldAt(picture, 0);
  return picture.characters.map((_, at) => {
    if (picture.fieldAttributes[at] !== 0) field = at;
    const look = fieldLook(picture, field);
    const colour = nameOf(valuesOf(picture, '42')[at]) ?? look.colour;
    const background = nameOf(valuesOf(picture, '45')[at]) ?? look.background;
    const highlighting = highlightings[at] ?? 0;
    // a character inherits only underscore from its field, and no other highlighting
    const underscored = highlighting || (field === undefined ? 0 : (highlightings[field] ?? 0));
    const isReversed = (highlighting & highlightingBits.reverse) !== 0;
    const isCursor = at === picture.cursor;
    return {
      colour: isCursor ? 'black' : isReversed ? background : colour,
      background: isCursor ? 'red' : isReversed ? colour : background,
      isBold: look.isBold || (highlighting & highlightingBits.intensify) !== 0,
      isUnderlined: (underscored & highlightingBits.underscore) !== 0,
    };
  });
}

function fieldLook(picture: ScreenSnapshot, field: number | undefined): Look {
  if (field === undefined) return { colour: 'green', background: 'black', isBold: false, isUnderlined: false };
  const attribute = picture.fieldAttributes[field] as number;
  const usual = ((attribute & fieldAttributeBits.protected) >> 4) | ((attribute & INTENSIFIED_BIT) >> 3);
  return {
    colour: nameOf(valuesOf(picture, '42')[field]) ?? usualColours[usual] ?? 'green',
    background: nameOf(valuesOf(picture, '45')[field]) ?? 'black',
    isBold: isIntensified(attribute),
    isUnderlined: false,
  };
}

function nameOf(colour: number | undefined): string | undefined {
  return colour === undefined || colour === 0 ? undefined : colourNames[colour & 0x0f];
}

const htmlEscapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

export function escapeHtml(text: string): string {
  return text.replace(/[<>&]/g, (character) => htmlEscapes[character] as string);
}

/** In RTF, characters inherit all highlighting of their field. */
function rtfOf(picture: ScreenSnapshot, { caption, information }: PrintOptions): string[] {
  const highlightings = valuesOf(picture, '41');
  let field = fieldAt(picture, 0);
  const screenRows = rowsOf(picture).map((row) =>
    row.map((at) => {
      if (picture.fieldAttributes[at] !== 0) field = at;
      const bits = (highlightings[at] ?? 0) | (field === undefined ? 0 : (highlightings[field] ?? 0));
      const attribute = field === undefined ? 0 : (picture.fieldAttributes[field] as number);
      return {
        character: picture.characters[at] ?? '',
        isBold: isIntensified(attribute) || (bits & highlightingBits.intensify) !== 0,
        isReversed: (bits & highlightingBits.reverse) !== 0 || at === picture.cursor,
        isUnderlined: (bits & highlightingBits.underscore) !== 0,
      };
    }),
  );
  const furtherRows = informationRows(picture, information).map((row) =>
    row.map(({ character, mark }) => ({
      character,
      isBold: mark === 'bold' || mark === 'alarming',
      isReversed: mark === 'reversed',
      isUnderlined: mark === 'underlined',
    })),
  );
  let before = { isBold: false, isReversed: false, isUnderlined: false };
  let text = `${RTF_HEAD}${caption === undefined ? '' : `${escapeRtf(caption)}\\par\\par\n`}`;
  for (const row of [...screenRows, ...furtherRows]) {
    for (const { character, ...look } of row) {
      const words: string[] = [];
      if (look.isUnderlined !== before.isUnderlined) words.push(look.isUnderlined ? '\\ul' : '\\ul0');
      if (look.isBold !== before.isBold) words.push(look.isBold ? '\\b' : '\\b0');
      if (words.length > 0 && look.isReversed !== before.isReversed) words.push(' ');
      if (look.isReversed !== before.isReversed) {
        words.push(look.isReversed ? '\\cf1\\highlight2' : '\\cf0\\highlight0');
      }
      before = look;
      text += `${words.join('')}${words.length > 0 ? ' ' : ''}${escapeRtf(character)}`;
    }
    text += '\\par\n';
  }
  return `${text}}`.split('\n');
}

function escapeRtf(text: string): string {
  return text.replace(/[\s\S]/gu, (character) => {
    if (character === ' ') return '\\~';
    if ('\\{}'.includes(character)) return `\\${character}`;
    return character < '\x7f' ? character : `\\u${character.charCodeAt(0)}?`;
  });
}
