import { isShort, type Rendering, type Segment, sizeOf, type TemplateNode } from '../rendering.js';
import type { TagInvocation } from '../scanner.js';
import { endTag, type Tag, type TagFamily, type TemplateBuilder } from '../template-builder.js';

type Condition = (rendering: Rendering) => boolean;

class When implements TemplateNode {
  readonly size: number;
  readonly #isShort: boolean;

  constructor(
    readonly condition: Condition,
    readonly body: readonly Segment[],
  ) {
    this.size = 1 + sizeOf(body);
    this.#isShort = isShort(body);
  }

  render(rendering: Rendering): void {
    if (!this.condition(rendering)) return;
    if (this.#isShort) rendering.renderShort(this.body);
    else rendering.enter(this.body);
  }
}

/** Reference 2.6, and the tags with text of 2.1. */
export const conditionalTags: TagFamily = {
  'WHEN-EXISTS': pair(
    'END-WHEN-EXISTS',
    onVariable((rendering, variable) => rendering.series(variable).length > 0),
  ),
  'END-WHEN-EXISTS': endTag,
  'WHEN-NOT-EXISTS': pair(
    'END-WHEN-NOT-EXISTS',
    onVariable((rendering, variable) => rendering.series(variable).length === 0),
  ),
  'END-WHEN-NOT-EXISTS': endTag,
  'WHEN-NOT-BLANK': pair('END-WHEN-NOT-BLANK', onVariable(isNotBlank)),
  'END-WHEN-NOT-BLANK': endTag,
  'AFTER-NOT-LAST-VALUE-OF': holder(
    'required',
    onVariable((rendering, variable) => rendering.cursor(variable) + 1 < rendering.series(variable).length),
  ),
  'IF-USER-IS-ALLOWED-TO': holder('required', (_, tag) => {
    const resource = tag.strings[0] ?? '';
    return ({ context }) => context.isUserAllowedTo(resource);
  }),
  'IF-PRINT-IS-READY': holder(
    'none',
    () =>
      ({ context }) =>
        context.isPrintReady === true,
  ),
  'IF-SECURITY-TOKEN-IS-READY': holder(
    'none',
    () =>
      ({ context }) =>
        (context.securityToken ?? '') !== '',
  ),
};

type ConditionOf = (builder: TemplateBuilder, tag: TagInvocation) => Condition;

function onVariable(holds: (rendering: Rendering, variable: number) => boolean): ConditionOf {
  return (builder, tag) => {
    const variable = builder.variable(tag);
    return (rendering) => holds(rendering, variable);
  };
}

function isNotBlank(rendering: Rendering, variable: number): boolean {
  const value = rendering.current(variable);
  // neither blanks nor nulls (binary zeros)
  return value !== undefined && /[^ \0]/.test(value);
}

function pair(closedBy: string, conditionOf: ConditionOf): Tag {
  return {
    parameters: 'none',
    string: 'required',
    closedBy,
    compile: (builder, tag) => {
      const condition = conditionOf(builder, tag);
      builder.openPair(tag, closedBy, (body) => new When(condition, body));
    },
  };
}

function holder(string: 'none' | 'required', conditionOf: ConditionOf): Tag {
  return {
    parameters: 'none',
    string,
    holdsText: true,
    compile: (builder, tag) => {
      const condition = conditionOf(builder, tag);
      builder.openText(tag, (body) => new When(condition, body));
    },
  };
}
