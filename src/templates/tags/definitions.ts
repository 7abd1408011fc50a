import type { Rendering, TemplateNode } from '../rendering.js';
import type { TagInvocation } from '../scanner.js';
import { CounterSeries, noValues, type Series, SubSeries } from '../series.js';
import { type TagFamily, type TemplateBuilder, withListAndString } from '../template-builder.js';

const LARGEST = 999_999_999;
export const conditions = ['SIGNON-IS-NEEDED', 'SIGNON-IS-OK', 'APPLICATION-IS-CONNECTED', 'TRACING-SCENARIO'];

class Definition implements TemplateNode {
  constructor(
    readonly variable: number,
    readonly seriesIn: (rendering: Rendering) => Series | undefined,
  ) {}

  render(rendering: Rendering): void {
    const series = this.seriesIn(rendering);
    if (series === undefined) return;
    rendering.define(this.variable, series);
    // the parts restart with each new value
    if (series instanceof SubSeries) rendering.moveTo(this.variable, 0);
  }
}

/** Deletes variables for the rest of this rendering; the context keeps them. The prefix is case-insensitive. */
class Deletion implements TemplateNode {
  constructor(readonly prefix: string) {}

  render(rendering: Rendering): void {
    rendering.charge(rendering.variables.length);
    rendering.variables.forEach((name, variable) => {
      if (name.slice(0, this.prefix.length).toUpperCase() === this.prefix.toUpperCase()) {
        rendering.define(variable, noValues);
        rendering.moveTo(variable, 0);
      }
    });
  }
}

export const definitionTags: TagFamily = {
  'DEFINE-AUTOMATIC-COUNTER': withListAndString((builder, tag) => {
    const numbers = numbersOf(builder, tag, ['init', 'incr', 'max'], /^-?\d{1,9}$/);
    if (numbers === undefined) return;
    const [first = 0, step = 0, last = 0] = numbers;
    const count = step === 0 ? 0 : Math.floor((last - first) / step) + 1;
    if (count < 1)
      return builder.report(tag.offset, `${tag.name} (${first},${step},${last}) never reaches max from init`);
    const counter = new CounterSeries(first, step, count);
    builder.append(new Definition(builder.unspokenVariable(tag), () => counter));
  }),
  'DEFINE-SUB-VARIABLE': withListAndString((builder, tag) => {
    const numbers = numbersOf(builder, tag, ['offset', 'length', 'count'], /^\d{1,9}$/);
    if (numbers === undefined) return;
    const [offset = 0, length = 0, count = 0] = numbers;
    const { master } = builder.loops;
    if (length < 1 || count < 1 || offset + length * count > LARGEST) {
      builder.report(tag.offset, `${tag.name} needs a length and a count of at least 1`);
    } else if (master === undefined) {
      builder.report(tag.offset, `${tag.name} is outside a loop: it divides the current value of the innermost loop`);
    } else {
      const seriesIn = (rendering: Rendering) => new SubSeries(() => rendering.current(master), offset, length, count);
      builder.append(new Definition(builder.unspokenVariable(tag), seriesIn));
    }
  }),
  'DELETE-ALL-VARIABLES': {
    parameters: 'none',
    string: 'optional',
    compile: (builder, tag) => builder.append(new Deletion(tag.strings[0] ?? '')),
  },
  'CREATE-VARIABLE-IF': withListAndString((builder, tag) => {
    const [condition = '', ...others] = tag.parameters ?? [];
    if (!conditions.includes(condition) || others.length > 0)
      return builder.report(tag.offset, `${tag.name} takes one condition of ${conditions.join(', ')}`);
    const seriesIn = ({ context }: Rendering) => {
      const value = context.condition(condition);
      return value === undefined ? undefined : [value];
    };
    builder.append(new Definition(builder.unspokenVariable(tag), seriesIn));
  }),
};

function numbersOf(
  builder: TemplateBuilder,
  tag: TagInvocation,
  names: readonly string[],
  form: RegExp,
): number[] | undefined {
  const written = tag.parameters ?? [];
  if (written.length === names.length && written.every((number) => form.test(number))) return written.map(Number);
  return builder.report(tag.offset, `${tag.name} takes whole numbers (${names.join(',')})`);
}
