import type { Passes, Rendering, Segment, TemplateNode } from '../rendering.js';
import { endTag, type LoopPlan, type TagFamily } from '../template-builder.js';
import { loop } from './loops.js';

const EVENTS = '$EVENT$';

class WhenEvent implements TemplateNode {
  readonly size = Number.POSITIVE_INFINITY;

  constructor(
    readonly events: number,
    readonly event: string,
    readonly body: readonly Segment[],
  ) {}

  render(rendering: Rendering): void {
    if (rendering.current(this.events) === this.event) rendering.enter(this.body);
  }
}

class PassesOfEvent implements Passes {
  #isInside = false;

  constructor(
    readonly plan: LoopPlan,
    readonly event: string,
  ) {}

  next(rendering: Rendering): boolean {
    const { master, advancing } = this.plan;
    if (this.#isInside) for (const variable of advancing) rendering.advance(variable);
    this.#isInside = rendering.current(master) === this.event;
    if (!this.#isInside) return false;
    rendering.pass();
    rendering.charge(advancing.length);
    return true;
  }
}

/** Consumed values stay consumed: a later loop over the same event continues with the following values. */
class WhileEvent implements TemplateNode {
  readonly size = Number.POSITIVE_INFINITY;

  constructor(
    readonly plan: LoopPlan,
    readonly event: string,
    readonly body: readonly Segment[],
  ) {}

  render(rendering: Rendering): void {
    rendering.enter(this.body, new PassesOfEvent(this.plan, this.event));
  }
}

export const eventTags: TagFamily = {
  'WHEN-NEXT-EVENT': {
    parameters: 'none',
    string: 'required',
    closedBy: 'END-WHEN-NEXT-EVENT',
    compile: (builder, tag) => {
      const events = builder.variableNamed(EVENTS);
      builder.loops.refer(events);
      builder.openPair(tag, 'END-WHEN-NEXT-EVENT', (body) => new WhenEvent(events, tag.strings[0] ?? '', body));
    },
  },
  'END-WHEN-NEXT-EVENT': endTag,
  'WHILE-EVENT': loop(
    'END-WHILE-EVENT',
    (builder) => builder.variableNamed(EVENTS),
    (plan, body, tag) => new WhileEvent(plan, tag.strings[0] ?? '', body),
  ),
  'END-WHILE-EVENT': endTag,
};
