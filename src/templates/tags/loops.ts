import { isShort, type Passes, type Rendering, type Segment, type TemplateNode } from '../rendering.js';
import type { TagInvocation } from '../scanner.js';
import { CounterSeries, type Series } from '../series.js';
import {
  endTag,
  type LoopPlan,
  type Tag,
  type TagFamily,
  type TemplateBuilder,
  withString,
} from '../template-builder.js';

class PassesOfValues implements Passes {
  #isInside = false;

  constructor(
    readonly loop: ForEachValue,
    readonly cursors: readonly number[],
    readonly before: Series | undefined,
  ) {}

  next(rendering: Rendering): boolean {
    if (this.#isInside) this.loop.endPass(rendering);
    this.#isInside = this.loop.beginPass(rendering);
    if (!this.#isInside) this.loop.end(rendering, this.cursors, this.before);
    return this.#isInside;
  }
}

class ForEachValue implements TemplateNode {
  readonly size = Number.POSITIVE_INFINITY;
  readonly #isShort: boolean;

  constructor(
    readonly plan: LoopPlan,
    readonly body: readonly Segment[],
  ) {
    this.#isShort = isShort(body);
  }

  render(rendering: Rendering): void {
    this.repeat(rendering, undefined);
  }

  /** @param before values of the driving variable, restored after the loop */
  repeat(rendering: Rendering, before: Series | undefined): void {
    const { master, advancing } = this.plan;
    const cursors = advancing.map((variable) => rendering.cursor(variable));
    rendering.moveTo(master, 0);
    while (this.#isShort && !rendering.isRestDue) {
      if (!this.beginPass(rendering)) {
        this.end(rendering, cursors, before);
        return;
      }
      rendering.renderShort(this.body);
      this.endPass(rendering);
    }
    rendering.enter(this.body, new PassesOfValues(this, cursors, before));
  }

  beginPass(rendering: Rendering): boolean {
    const { master, advancing } = this.plan;
    if (rendering.cursor(master) >= rendering.series(master).length) return false;
    rendering.pass();
    rendering.charge(advancing.length);
    return true;
  }

  endPass(rendering: Rendering): void {
    for (const variable of this.plan.advancing) rendering.advance(variable);
  }

  end(rendering: Rendering, cursors: readonly number[], before: Series | undefined): void {
    const { master, advancing } = this.plan;
    advancing.forEach((variable, index) => {
      rendering.moveTo(variable, cursors[index] ?? 0);
    });
    if (before !== undefined) rendering.define(master, before);
  }
}

/** The variable counts 1..n during the loop and is restored afterwards. */
class CountUp implements TemplateNode {
  readonly size = Number.POSITIVE_INFINITY;
  readonly #forEach: ForEachValue;

  constructor(
    readonly plan: LoopPlan,
    readonly body: readonly Segment[],
  ) {
    this.#forEach = new ForEachValue(plan, body);
  }

  render(rendering: Rendering): void {
    const { master } = this.plan;
    const times = /^ *(\d{1,9}) *$/.exec(rendering.current(master)?.slice(0, 64) ?? '')?.[1];
    if (times === undefined) return;
    const before = rendering.define(master, new CounterSeries(1, 1, Number(times)));
    this.#forEach.repeat(rendering, before);
  }
}

class Advance implements TemplateNode {
  constructor(readonly variable: number) {}

  render(rendering: Rendering): void {
    rendering.advance(this.variable);
  }
}

export const loopTags: TagFamily = {
  'FOR-EACH-VALUE-IN': loop(
    'END-FOR',
    (builder, tag) => builder.unspokenVariable(tag),
    (plan, body) => new ForEachValue(plan, body),
  ),
  'END-FOR': endTag,
  'DO-COUNT-UP-WITH': loop(
    'END-DO-COUNT',
    (builder, tag) => builder.variable(tag),
    (plan, body) => new CountUp(plan, body),
  ),
  'END-DO-COUNT': endTag,
  'ADVANCE-TO-NEXT-VALUE-OF': withString((builder, tag) => builder.append(new Advance(builder.variable(tag)))),
};

export function loop(
  closedBy: string,
  masterOf: (builder: TemplateBuilder, tag: TagInvocation) => number,
  nodeOf: (plan: LoopPlan, body: readonly Segment[], tag: TagInvocation) => TemplateNode,
): Tag {
  const opening = withString((builder, tag) => {
    const plan = builder.loops.enter(masterOf(builder, tag));
    builder.openPair(tag, closedBy, (body) => {
      builder.loops.leave();
      return nodeOf(plan, body, tag);
    });
  });
  return { ...opening, closedBy };
}
