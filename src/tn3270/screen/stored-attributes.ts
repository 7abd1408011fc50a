import { colours } from '../datastream/attributes.js';

/** Bits of a highlighting that are kept: a field begins intensified by its field attribute, not by its highlighting. */
export const FIELD_HIGHLIGHTINGS = 0x07;
export const CHARACTER_HIGHLIGHTINGS = 0x0f;

export function storedHighlighting(value: number, kept: number): number {
  return (value & kept) === 0 ? 0 : 0xf0 | (value & kept);
}

/** Colours begin at 0xf0; anything else is the device's default. */
export function storedColour(value: number): number {
  return value >= colours.neutralBlack ? value : colours.default;
}
