import { type Escape, escapeInScript } from '../escapes.js';
import type { TemplateBuilder } from '../template-builder.js';

/** The escape of keys and codes at this place of the page: they are inserted unchanged except in scripts. */
export function keyEscapeAt({ position }: TemplateBuilder): Escape {
  return position.isInScript ? escapeInScript : (value) => value;
}
