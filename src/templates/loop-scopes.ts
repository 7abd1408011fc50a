/** Run-time data of a loop; filled when the whole template is compiled. */
export interface LoopPlan {
  /** Index of the variable that drives it. */
  readonly master: number;
  /** The variables that move to their next value at the end of a pass. */
  advancing: readonly number[];
}

interface LoopScope {
  readonly plan: LoopPlan;
  readonly parent: LoopScope | undefined;
  /** Spoken of in the body, outside of inner loops. */
  readonly references: Set<number>;
}

/**
 * Finds which variables advance with which loop. Reference 2.5: all table variables referenced in the body advance
 * together at the end of a pass. In nested loops, a variable belongs to the outermost loop that iterates over it or mentions
 * it outside its inner loops; inner loops do not advance it.
 */
export class LoopScopes {
  readonly #all: LoopScope[] = [];
  #innermost: LoopScope | undefined;

  get isInside(): boolean {
    return this.#innermost !== undefined;
  }

  /** Index of the variable that drives the innermost loop. */
  get master(): number | undefined {
    return this.#innermost?.plan.master;
  }

  enter(master: number): LoopPlan {
    const plan: LoopPlan = { master, advancing: [] };
    this.#innermost = { plan, parent: this.#innermost, references: new Set([master]) };
    this.#all.push(this.#innermost);
    return plan;
  }

  leave(): void {
    this.#innermost = this.#innermost?.parent;
  }

  refer(variable: number): void {
    this.#innermost?.references.add(variable);
  }

  /** Called once, after all references have been added. */
  settle(): void {
    for (const { plan, parent, references } of this.#all) {
      plan.advancing = [...references].filter((variable) => variable === plan.master || !isHeld(parent, variable));
    }
  }
}

function isHeld(scope: LoopScope | undefined, variable: number): boolean {
  for (let at = scope; at !== undefined; at = at.parent) if (at.references.has(variable)) return true;
  return false;
}
