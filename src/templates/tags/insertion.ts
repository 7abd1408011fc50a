import type { RenderContext } from '../render-context.js';
import type { Rendering, TemplateNode } from '../rendering.js';

/** Inserts a context value unchanged; nothing if there is none. */
export class Insertion implements TemplateNode {
  constructor(readonly textIn: (context: RenderContext, rendering: Rendering) => string | undefined) {}

  render(rendering: Rendering): void {
    const text = this.textIn(rendering.context, rendering);
    if (text !== undefined) rendering.write(text);
  }
}
