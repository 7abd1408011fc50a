import { withoutTrailingBlanks } from '../../lib/text/code-points.js';
import type { MappingBudget } from './mapping-limit.js';
import type { MappingPort } from './mapping-port.js';

/**
 * One variable per field: the first value of a mapping replaces what the variable held, further ones (repeated groups)
 * are appended. A value is the area without its trailing blanks.
 */
export class FieldVariables {
  readonly #port: MappingPort;
  readonly #budget: MappingBudget;
  readonly #written = new Set<string>();

  constructor(port: MappingPort, budget: MappingBudget) {
    this.#port = port;
    this.#budget = budget;
  }

  /** @throws MappingLimitError */
  write(variable: string, area: string): void {
    const value = withoutTrailingBlanks(area);
    this.#budget.spend('variableCharacters', value.length);
    if (this.#written.has(variable)) {
      this.#port.append(variable, value);
      return;
    }
    this.#written.add(variable);
    this.#port.replace(variable, value);
  }
}
