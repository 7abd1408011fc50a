/** Literal text of a page, or the place where the content of an inline script begins or ends. */
type ScriptPiece = string | { readonly kind: 'begin' | 'end' };

const begin: ScriptPiece = { kind: 'begin' };
const end: ScriptPiece = { kind: 'end' };

/** Start tags of elements whose content is text up to their end tag, comments, and all other tags. */
const opensElement = /<(script|style|textarea|title)(?=[\t\n\f\r />])|<!--|<\/?(?=[a-z])/gi;

type TextElement = 'script' | 'style' | 'textarea' | 'title';

const endTags: Readonly<Record<TextElement, RegExp>> = {
  script: /<\/script(?=[\t\n\f\r />])/gi,
  style: /<\/style(?=[\t\n\f\r />])/gi,
  textarea: /<\/textarea(?=[\t\n\f\r />])/gi,
  title: /<\/title(?=[\t\n\f\r />])/gi,
};
/** Characters that end a state within a tag. */
const inTag = /[>=]/g;
const inValue = /[>\t\n\f\r ]/g;
const anything = /[\s\S]/g;

type State =
  | { readonly kind: 'data' }
  | { readonly kind: 'comment' }
  /** @param element whose start tag it is, if its content is text */
  | { readonly kind: 'tag'; readonly element: TextElement | undefined }
  | { readonly kind: 'beforeValue' | 'value'; readonly element: TextElement | undefined }
  | { readonly kind: 'quoted'; readonly quote: string; readonly element: TextElement | undefined }
  | { readonly kind: 'text'; readonly element: TextElement };

/**
 * Finds the inline scripts in the literal text of an HTML page, piece by piece. It follows the states of the HTML standard (13.2.5) as far
 * as pages need them. A script that is not found, or found too short, gets a hash that no browser computes, and stays blocked.
 */
export class ScriptFinder {
  #state: State = { kind: 'data' };

  split(text: string): ScriptPiece[] {
    const pieces: ScriptPiece[] = [];
    let from = 0;
    let at = 0;
    const cutAt = (place: number, mark: ScriptPiece) => {
      if (place > from) pieces.push(text.slice(from, place));
      pieces.push(mark);
      from = place;
    };
    while (at < text.length) {
      const state = this.#state;
      if (state.kind === 'text') {
        const endTag = endTags[state.element];
        endTag.lastIndex = at;
        const found = endTag.exec(text);
        if (found === null) break;
        if (state.element === 'script') cutAt(found.index, end);
        this.#state = { kind: 'tag', element: undefined };
        at = endTag.lastIndex;
      } else {
        at = this.#markup(text, at);
        if (isScript(this.#state) && !isScript(state)) cutAt(at, begin);
      }
    }
    if (from < text.length) pieces.push(text.slice(from));
    return pieces;
  }

  /** One step outside of text elements. @returns where it ends */
  #markup(text: string, at: number): number {
    const state = this.#state;
    switch (state.kind) {
      case 'comment': {
        const closed = text.indexOf('-->', at);
        if (closed < 0) return text.length;
        this.#state = { kind: 'data' };
        return closed + 3;
      }
      case 'quoted': {
        const closed = text.indexOf(state.quote, at);
        if (closed < 0) return text.length;
        this.#state = { kind: 'tag', element: state.element };
        return closed + 1;
      }
      case 'data': {
        opensElement.lastIndex = at;
        const found = opensElement.exec(text);
        if (found === null) return text.length;
        // the hyphens that open a comment may close it: <!-->
        if (found[0] === '<!--') {
          this.#state = { kind: 'comment' };
          return opensElement.lastIndex - 2;
        }
        this.#state = { kind: 'tag', element: found[1]?.toLowerCase() as TextElement | undefined };
        return opensElement.lastIndex;
      }
      default: {
        const significant = state.kind === 'tag' ? inTag : state.kind === 'value' ? inValue : anything;
        significant.lastIndex = at;
        const found = significant.exec(text);
        if (found === null) return text.length;
        this.#inTag(found[0]);
        return significant.lastIndex;
      }
    }
  }

  #inTag(character: string): void {
    const { kind, element } = this.#state as Extract<State, { readonly kind: 'tag' | 'beforeValue' | 'value' }>;
    const isBlank = /[\t\n\f\r ]/.test(character);
    if (character === '>') this.#state = element === undefined ? { kind: 'data' } : { kind: 'text', element };
    else if (kind === 'tag' && character === '=') this.#state = { kind: 'beforeValue', element };
    else if (kind === 'value' && isBlank) this.#state = { kind: 'tag', element };
    else if (kind === 'beforeValue' && !isBlank) {
      const isQuote = character === '"' || character === "'";
      this.#state = isQuote ? { kind: 'quoted', quote: character, element } : { kind: 'value', element };
    }
  }
}

function isScript(state: State): boolean {
  return state.kind === 'text' && state.element === 'script';
}
