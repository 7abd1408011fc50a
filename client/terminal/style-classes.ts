import type { CharacterStyle } from './model/presentation-buffer.js';
import type { ShownField } from './terminal-port.js';

const colours = ['', 'blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'white'];
const highlightings: Readonly<Record<number, string>> = { 1: 'blink', 2: 'reverse', 4: 'underscore', 8: 'intensify' };

const PLAIN = 'plain';

/**
 * CSS classes of text in a field; undefined on an unformatted screen. Missing character attributes are inherited from
 * the field (GA23-0059, "Character attributes").
 */
export function styleClasses(field: ShownField | undefined, own?: CharacterStyle): string {
  const colour = own?.colour || field?.colour || 0;
  const highlighting = own?.highlighting || field?.highlighting || 0;
  const background = own?.background || field?.background || 0;
  const names = [colour === 0 ? baseColour(field) : colourName(colour), highlightings[highlighting] ?? ''];
  if (background !== 0) names.push(`on-${colourName(background)}`);
  if (field?.isIntensified) names.push('intensified');
  if (field?.isNonDisplayable) names.push('hidden-text');
  return names.filter((name) => name !== '').join(' ');
}

/** A 3279 shows fields without a colour attribute in green, red, blue or white, by protection and intensity. */
function baseColour(field: ShownField | undefined): string {
  if (field === undefined) return PLAIN;
  if (field.isProtected) return field.isIntensified ? 'white' : 'blue';
  return field.isIntensified ? 'red' : 'green';
}

function colourName(colour: number): string {
  return colours[colour] ?? `c${colour}`;
}
