/** Escapes a value for its position. */
export type Escape = (value: string) => string;

const htmlEntities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' };
const xmlEntities: Readonly<Record<string, string>> = {
  '<': '&#60;',
  '>': '&#62;',
  '"': '&#34;',
  '&': '&#38;',
  "'": '&#39;',
};

/** The escape options, exactly as in the table of reference 2.8. */
export const escapes: ReadonlyMap<string, Escape | undefined> = new Map([
  ['HTML-ESCAPES', replacing(/[<>"&]/g, (character) => htmlEntities[character] ?? character)],
  ['XML-ESCAPES', replacing(/[<>"&']/g, (character) => xmlEntities[character] ?? character)],
  ['JAVASCRIPT-ESCAPES', replacing(/["'\\]/g, (character) => `\\${character}`)],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this escapes
  ['JSON-ESCAPES', replacing(/["\\\u0000-\u001f]/g, jsonEscape)],
  ['NO-ESCAPES', undefined],
]);

/**
 * The same inside a `<script>` of an HTML page, where a value must not end the script or the line: `<` and line breaks
 * as `\u003c` and the like, which every script reads as the same characters.
 */
export const scriptEscapes: ReadonlyMap<string, Escape> = new Map([
  ['JAVASCRIPT-ESCAPES', replacing(/["'\\<\n\r\u2028\u2029]/g, scriptEscape)],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this escapes
  ['JSON-ESCAPES', replacing(/["\\<\u0000-\u001f\u2028\u2029]/g, jsonEscape)],
]);

/** For the values of key tags, which have nothing to escape today: in a script they must not end a string or the script. */
export function escapeInScript(value: string): string {
  return value.replace(/["'\\<\n\r\u2028\u2029]/g, scriptEscape);
}

function scriptEscape(character: string): string {
  return character === "'" ? "\\'" : jsonEscape(character);
}

function jsonEscape(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Most values need no escaping: they are searched once and returned unchanged. */
function replacing(pattern: RegExp, replacement: (character: string) => string): Escape {
  return (value) => (value.search(pattern) < 0 ? value : value.replace(pattern, replacement));
}
