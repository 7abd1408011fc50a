interface Piece {
  readonly start: number;
  readonly style: string;
  readonly text: string;
}

/** An input has one style for its whole text, so text with character attributes is drawn over the input. */
export class DrawnFields {
  readonly element = document.createElement('div');
  readonly #drawn = new Map<HTMLInputElement, { readonly told: string; readonly spans: readonly HTMLElement[] }>();

  constructor() {
    this.element.className = 'drawn-fields';
    // screen readers read the input
    this.element.setAttribute('aria-hidden', 'true');
  }

  /** @param pieces empty if the input shows its own text */
  draw(input: HTMLInputElement, pieces: readonly Piece[], columns: number): void {
    const old = this.#drawn.get(input);
    if (old === undefined && pieces.length === 0) return;
    const told = JSON.stringify(pieces);
    if (old?.told === told) return;
    for (const span of old?.spans ?? []) span.remove();
    input.classList.toggle('drawn-over', pieces.length > 0);
    if (pieces.length === 0) {
      this.#drawn.delete(input);
      return;
    }
    const spans = pieces.map(({ start, style, text }) => {
      const span = document.createElement('span');
      span.className = style;
      span.textContent = text;
      span.style.setProperty('--row', String(Math.floor(start / columns)));
      span.style.setProperty('--column', String(start % columns));
      return span;
    });
    this.element.append(...spans);
    this.#drawn.set(input, { told, spans });
  }

  forgetOthers(): void {
    for (const [input, { spans }] of this.#drawn) {
      if (input.isConnected) continue;
      for (const span of spans) span.remove();
      this.#drawn.delete(input);
    }
  }
}
