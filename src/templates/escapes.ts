export type Escape = (value: string) => string;

const htmlEntities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' };
const xmlEntities: Readonly<Record<string, string>> = {
  '<': '&#60;',
  '>': '&#62;',
  '"': '&#34;',
  '&': '&#38;',
  "'": '&#39;',
};

export const escapes: ReadonlyMap<string, Escape | undefined> = new Map([
  ['HTML-ESCAPES', replacing(/[<>"&]/g, (character) => htmlEntities[character] ?? character)],
  ['XML-ESCAPES', replacing(/[<>"&']/g, (character) => xmlEntities[character] ?? character)],
  ['JAVASCRIPT-ESCAPES', replacing(/["'\\]/g, (character) => `\\${character}`)],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this escapes
  ['JSON-ESCAPES', replacing(/["\\\u0000-\u001f]/g, jsonEscape)],
  ['NO-ESCAPES', undefined],
]);

/**
 * Escapes for a `<script>` of an HTML page: `<` and line breaks become `\u003c` and the like, so that a value ends
 * neither the script nor the line.
 */
export const scriptEscapes: ReadonlyMap<string, Escape> = new Map([
  ['JAVASCRIPT-ESCAPES', replacing(/["'\\<\n\r\u2028\u2029]/g, scriptEscape)],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this escapes
  ['JSON-ESCAPES', replacing(/["\\<\u0000-\u001f\u2028\u2029]/g, jsonEscape)],
]);

/** Escapes the values of key tags, so that they end neither a string nor the script. Current keys need no escapes. */
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

/** The search first avoids a copy, because most values need no escaping. */
function replacing(pattern: RegExp, replacement: (character: string) => string): Escape {
  return (value) => (value.search(pattern) < 0 ? value : value.replace(pattern, replacement));
}
