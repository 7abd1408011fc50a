import type { LoopPlan } from '../loop-scopes.js';
import type { Passes, Rendering, Segment, TemplateNode } from '../rendering.js';
import { CounterSeries, type Series } from '../series.js';
import type { TagFamily } from '../tag.js';
import { endTag } from './end-tag.js';

class PassesOfValues implements Passes {
  readonly #cursors: readonly number[];
  #isInside = false;

  constructor(
    readonly plan: LoopPlan,
    rendering: Rendering,
    /** Of the driving variable, set again behind the loop. */
    readonly before?: Series,
  ) {
    this.#cursors = plan.advancing.map((variable) => rendering.cursor(variable));
    rendering.moveTo(plan.master, 0);
  }

  next(rendering: Rendering): boolean {
    const { master, advancing } = this.plan;
    if (this.#isInside) for (const variable of advancing) rendering.advance(variable);
    this.#isInside = rendering.cursor(master) < rendering.series(master).length;
    if (this.#isInside) {
      rendering.pass();
      rendering.charge(advancing.length);
      return true;
    }
    advancing.forEach((variable, index) => {
      rendering.moveTo(variable, this.#cursors[index] ?? 0);
    });
    if (this.before !== undefined) rendering.define(master, this.before);
    return false;
  }
}

class ForEachValue implements TemplateNode {
  constructor(
    readonly plan: LoopPlan,
    readonly body: readonly Segment[],
  ) {}

  render(rendering: Rendering): void {
    rendering.enter(this.body, new PassesOfValues(this.plan, rendering));
  }
}

/** The variable counts 1..n during the loop and is restored afterwards. */
class CountUp implements TemplateNode {
  constructor(
    readonly plan: LoopPlan,
    readonly body: readonly Segment[],
  ) {}

  render(rendering: Rendering): void {
    const { master } = this.plan;
    const times = /^ *(\d{1,9}) *$/.exec(rendering.current(master)?.slice(0, 64) ?? '')?.[1];
    if (times === undefined) return;
    const before = rendering.define(master, new CounterSeries(1, 1, Number(times)));
    rendering.enter(this.body, new PassesOfValues(this.plan, rendering, before));
  }
}

class Advance implements TemplateNode {
  constructor(readonly variable: number) {}

  render(rendering: Rendering): void {
    rendering.advance(this.variable);
  }
}

/** Reference 2.5. */
export const loopTags: TagFamily = {
  'FOR-EACH-VALUE-IN': {
    parameters: 'none',
    string: 'required',
    closedBy: 'END-FOR',
    compile: (builder, tag) => {
      const plan = builder.loops.enter(builder.unspokenVariable(tag));
      builder.openPair(tag, 'END-FOR', (body) => {
        builder.loops.leave();
        return new ForEachValue(plan, body);
      });
    },
  },
  'END-FOR': endTag,
  'DO-COUNT-UP-WITH': {
    parameters: 'none',
    string: 'required',
    closedBy: 'END-DO-COUNT',
    compile: (builder, tag) => {
      const plan = builder.loops.enter(builder.variable(tag));
      builder.openPair(tag, 'END-DO-COUNT', (body) => {
        builder.loops.leave();
        return new CountUp(plan, body);
      });
    },
  },
  'END-DO-COUNT': endTag,
  'ADVANCE-TO-NEXT-VALUE-OF': {
    parameters: 'none',
    string: 'required',
    compile: (builder, tag) => builder.append(new Advance(builder.variable(tag))),
  },
};
