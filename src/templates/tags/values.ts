import type { Escape } from '../escapes.js';
import type { Rendering, TemplateNode } from '../rendering.js';
import { type Tag, type TagFamily, withString } from '../template-builder.js';

type Cut = (value: string) => string;

class ValueInsertion implements TemplateNode {
  constructor(
    readonly variable: number,
    readonly cut: Cut | undefined,
    readonly escapeValue: Escape | undefined,
    readonly autoIncrements: boolean,
  ) {}

  render(rendering: Rendering): void {
    const value = rendering.current(this.variable);
    if (this.autoIncrements) rendering.advance(this.variable);
    if (value === undefined) return;
    const shown = this.cut === undefined ? value : this.cut(value);
    rendering.write(this.escapeValue === undefined ? shown : this.escapeValue(shown));
  }
}

/**
 * Reference 2.5: the current value inside a loop. Outside, the first value, or the next one each time with
 * AUTO-INCREMENT-VARIABLES.
 */
export const valueTags: TagFamily = {
  'CURRENT-VALUE-OF': valueTag(undefined),
  'TRIMMED-VALUE-OF': valueTag(withoutSurroundingBlanks),
  'NO-BLANKS-VALUE-OF': valueTag((value) => value.split(' ', 1)[0] ?? ''),
};

function valueTag(cut: Cut | undefined): Tag {
  return withString((builder, tag) => {
    const risk = builder.position.riskUnder(builder.escapeOption);
    if (risk !== undefined) builder.report(tag.offset, risk, 'warning');
    const autoIncrements = builder.autoIncrements && !builder.loops.isInside;
    builder.append(new ValueInsertion(builder.variable(tag), cut, builder.escape, autoIncrements));
  });
}

const BLANK = 0x20;

/** Only U+0020 counts as a blank. */
function withoutSurroundingBlanks(value: string): string {
  let from = 0;
  let to = value.length;
  while (from < to && value.charCodeAt(from) === BLANK) from += 1;
  while (to > from && value.charCodeAt(to - 1) === BLANK) to -= 1;
  return value.slice(from, to);
}
