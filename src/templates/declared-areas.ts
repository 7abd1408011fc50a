import type { HostScreen } from '../tn3270/screen/form-screen.js';
import { areaKeyField, type ClickableArea, type PageDeclarations } from './page-declarations.js';
import type { Rendering } from './rendering.js';
import { positionsOf } from './screen-area.js';

/** The markup around a text that can be clicked. */
export interface ClickableMarkup {
  readonly begin: string;
  readonly end: string;
}

/** Finds the clickable area that a screen position belongs to. */
export class DeclaredAreas {
  readonly #markup: ClickableMarkup[] = [];
  /** Number of the area at each position, 0: none. */
  readonly #at: Uint16Array | undefined;

  constructor(
    rendering: Rendering,
    screen: HostScreen,
    areas: PageDeclarations['areas'],
    escaped: (text: string) => string,
  ) {
    if (areas.length === 0) return;
    this.#at = new Uint16Array(screen.rows * screen.columns);
    for (const area of areas) {
      const { from, to } = positionsOf(area, screen);
      rendering.charge(1 + to - from);
      const shown = screen.cells.slice(from, to).join('').trimEnd();
      if (to === from || !holds(area, shown)) continue;
      this.#markup.push(markupOf(area, shown === '', escaped));
      this.#at.fill(this.#markup.length, from, to);
    }
  }

  markupAt(position: number): ClickableMarkup | undefined {
    const number = this.#at?.[position] ?? 0;
    return number === 0 ? undefined : this.#markup[number - 1];
  }
}

function holds({ condition }: ClickableArea, shown: string): boolean {
  return condition === undefined || (shown === condition.text.trimEnd()) === condition.isEqual;
}

/** The text of an area that displays nothing describes its action. */
function markupOf({ action }: ClickableArea, isBlank: boolean, escaped: (text: string) => string): ClickableMarkup {
  const labelled = (text: string) => (isBlank ? ` aria-label="${escaped(text)}"` : '');
  const button = (name: string, value: string) => ({
    begin: `<button type="submit" class="svc-area" name="${escaped(name)}" value="${escaped(value)}"${labelled(value)}>`,
    end: '</button>',
  });
  if (action.kind === 'key') return button(areaKeyField, action.key);
  if (action.kind === 'parameter') return button(action.name, action.value);
  return {
    begin: `<a class="svc-area" href="${escaped(action.url)}" rel="noreferrer"${labelled(action.url)}>`,
    end: '</a>',
  };
}
