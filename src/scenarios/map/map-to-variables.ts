import type { ElementNode } from '../../lib/documents/element-tree.js';
import { areaValue } from './area-value.js';
import type { AreaDefinition, Structure } from './definition.js';
import { DocumentWalk } from './document-walk.js';
import { FieldVariables } from './field-variables.js';
import { MappingBudget } from './mapping-limit.js';
import type { Mapping, MappingPort } from './mapping-port.js';

/**
 * MAP$ FROM-…,TO-VARIABLES: maps a document to one variable per field; the record of the result is empty. The
 * variable is named by the field's VAR or WITH, with `event/` in front inside an event group. A missing element gives
 * the fill of its area without trailing blanks; a missing occurrence of a repeated group gives no value.
 *
 * Yields each MAP$ EXECUTE, whose subroutine is run before the generator is resumed, and undefined where it can rest.
 * @throws MappingLimitError
 */
export function* mapToVariables(structure: Structure, document: ElementNode | undefined, port: MappingPort): Mapping {
  const budget = new MappingBudget();
  const variables = new FieldVariables(port, budget);
  const sink = {
    area(area: AreaDefinition, value: string | undefined): void {
      if (area.fieldVariable === undefined) return;
      variables.write(area.fieldVariable, areaValue(area, value, port));
    },
    constant(): void {},
    missingOccurrences(): void {},
  };
  const abended = yield* new DocumentWalk(structure, document, port, sink, budget).run();
  return abended === undefined ? { kind: 'mapped', record: '' } : { kind: 'abended', at: abended };
}
