import type { RenderContext } from '../render-context.js';
import type { Rendering, TemplateNode } from '../rendering.js';

/** Inserts what a context answers, as it is; nothing where it has no answer. */
export class Insertion implements TemplateNode {
  constructor(readonly textIn: (context: RenderContext, rendering: Rendering) => string | undefined) {}

  render(rendering: Rendering): void {
    const text = this.textIn(rendering.context, rendering);
    if (text !== undefined) rendering.write(text);
  }
}
