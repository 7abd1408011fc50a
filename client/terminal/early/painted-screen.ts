import { addressInName } from './input-name.js';
import { INPUT, type PaintedScreen } from './painted-comparison.js';

/** Reads the painted screen before the terminal replaces its rows. @returns undefined if the page has no screen */
export function paintedScreen(): PaintedScreen | undefined {
  const lines = document.querySelector('#screen pre');
  if (lines === null) return undefined;
  const inputs: (readonly [number, number])[] = [];
  let text = '';
  const walker = document.createTreeWalker(lines, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) text += node.data;
    else if (node instanceof HTMLInputElement) {
      text += INPUT.repeat(node.size);
      inputs.push([addressInName(node.name) ?? -1, node.size]);
    }
  }
  return { rows: text.split('\n').map((row) => row.trimEnd()), inputs };
}
