import { codePointCount } from '../../lib/text/code-points.js';
import { areaFill } from './area-text.js';
import type { Definition, EventualAlternative, GroupDefinition } from './definition.js';

/** What a definition gives where there is nothing to map: blanks and zeros of its fixed length. */
export function definitionFill(definition: Definition): string {
  switch (definition.kind) {
    case 'group':
      return definition.fill.repeat(fixedOccurrences(definition));
    case 'area':
      return definition.inRecord ? areaFill(definition) : '';
    case 'eventualArea':
      return eventualAreaFill(definition.alternatives);
    case 'execute':
    case 'abend':
    case 'abendAt':
      return '';
  }
}

/** As long as `definitionFill`, counted without making it. */
export function fixedLength(definition: Definition): number {
  return definition.kind === 'group'
    ? codePointCount(definition.fill) * fixedOccurrences(definition)
    : codePointCount(definitionFill(definition));
}

/** Blanks as long as the longest of the constants. */
export function eventualAreaFill(alternatives: readonly EventualAlternative[]): string {
  return ' '.repeat(Math.max(0, ...alternatives.map(({ constant }) => codePointCount(constant))));
}

/** How often a group stands in its parent where there is nothing to map: an event group not at all. */
function fixedOccurrences({ event, occurs }: GroupDefinition): number {
  if (event !== undefined || occurs === 'unlimited') return 0;
  return occurs ?? 1;
}
