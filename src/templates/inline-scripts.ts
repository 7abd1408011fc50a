import type { Rendering, TemplateNode } from './rendering.js';
import type { TagInvocation } from './scanner.js';
import type { TemplateBuilder } from './template-builder.js';
import { templateLimits } from './template-limits.js';

/** Tags that insert keys and codes of the server. */
const keyTags: ReadonlySet<string> = new Set([
  'PUBLIC-KEY',
  'ENCRYPTION-PARAMETERS',
  'SESSION-CODE',
  'AJAX-SESSION-CODE',
  'VIRPLEX-CODE',
]);
const silentTags: ReadonlySet<string> = new Set([
  'SET-CONTENT-TYPE',
  'SET-OUTPUT-ENCODING-UTF-8',
  'SET-LOCAL-OPTIONS',
  'UNSET-LOCAL-OPTIONS',
  'SET-INITIAL-TIMEOUT',
  'DECLARE-FIELD-AS',
  'DEFINE-HTML-PFKEY',
  'DEFINE-HTML-FOCUS-FIELD',
  'DEFINE-CURSOR-POSITION-FIELD',
  'VALID-PFKEYS',
  'INVALID-PFKEYS',
]);

interface InlineScript {
  /** True if the script contains only text of the file and values of key tags. */
  isOfFile: boolean;
}

class ScriptBegin implements TemplateNode {
  constructor(readonly script: InlineScript) {}

  render(rendering: Rendering): void {
    if (this.script.isOfFile) rendering.beginScript();
  }
}

class ScriptEnd implements TemplateNode {
  render(rendering: Rendering): void {
    rendering.endScript();
  }
}

function isHtml(contentType: string): boolean {
  return /^text\/html\s*(?:;|$)/i.test(contentType);
}

export function inlineScriptsOf(text: string, contentType: string): ReadonlySet<string> {
  const scripts = new Set<string>();
  if (!isHtml(contentType)) return scripts;
  const pieces = new ScriptFinder().split(text);
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string' || piece.kind !== 'begin' || scripts.size === templateLimits.inlineScripts) continue;
    const [script, end] = pieces.slice(index + 1, index + 3);
    if (typeof script === 'string' && typeof end === 'object') scripts.add(script);
  }
  return scripts;
}

/**
 * Marks the inline scripts of an HTML page that contain only text of the file and key tags, so that each rendering can
 * hash them. Such a hash never allows text of a client or host.
 */
export class InlineScripts {
  readonly #finder: ScriptFinder | undefined;
  #open: InlineScript | undefined;
  #count = 0;

  constructor(contentType: string) {
    this.#finder = isHtml(contentType) ? new ScriptFinder() : undefined;
  }

  appendText(builder: TemplateBuilder, { text, offset }: { readonly text: string; readonly offset: number }): void {
    if (this.#finder === undefined) {
      builder.append(text);
      return;
    }
    for (const piece of this.#finder.split(text)) {
      if (typeof piece === 'string') builder.append(piece);
      else if (piece.kind === 'begin') {
        this.#open = { isOfFile: true };
        builder.append(new ScriptBegin(this.#open));
      } else this.#close(builder, offset);
    }
  }

  /** Tags outside `keyTags` and `silentTags` make the current script depend on values. */
  pass({ name }: TagInvocation): void {
    if (!keyTags.has(name) && !silentTags.has(name)) this.endFileText();
  }

  endFileText(): void {
    if (this.#open !== undefined) this.#open.isOfFile = false;
  }

  #close(builder: TemplateBuilder, offset: number): void {
    const script = this.#open;
    this.#open = undefined;
    if (script?.isOfFile !== true) return;
    this.#count += 1;
    if (this.#count > templateLimits.inlineScripts) {
      script.isOfFile = false;
      if (this.#count === templateLimits.inlineScripts + 1) {
        const most = templateLimits.inlineScripts;
        const message = `the policy of a page allows its first ${most} inline scripts; the script that ends here is blocked`;
        builder.report(offset, message, 'warning');
      }
      return;
    }
    builder.append(new ScriptEnd());
  }
}

type ScriptPiece = string | { readonly kind: 'begin' | 'end' };

const begin: ScriptPiece = { kind: 'begin' };
const end: ScriptPiece = { kind: 'end' };

/** Start tags of elements with raw text content, comments, and all other tags. */
const opensElement = /<(script|style|textarea|title)(?=[\t\n\f\r />])|<!--|<\/?(?=[a-z])/gi;

type TextElement = 'script' | 'style' | 'textarea' | 'title';

const endTags: Readonly<Record<TextElement, RegExp>> = {
  script: /<\/script(?=[\t\n\f\r />])/gi,
  style: /<\/style(?=[\t\n\f\r />])/gi,
  textarea: /<\/textarea(?=[\t\n\f\r />])/gi,
  title: /<\/title(?=[\t\n\f\r />])/gi,
};
const inTag = /[>=]/g;
const inValue = /[>\t\n\f\r ]/g;
const anything = /[\s\S]/g;

type State =
  | { readonly kind: 'data' }
  | { readonly kind: 'comment' }
  /** @param element name, if the tag starts an element with raw text content */
  | { readonly kind: 'tag'; readonly element: TextElement | undefined }
  | { readonly kind: 'beforeValue' | 'value'; readonly element: TextElement | undefined }
  | { readonly kind: 'quoted'; readonly quote: string; readonly element: TextElement | undefined }
  | { readonly kind: 'text'; readonly element: TextElement };

/**
 * Finds the inline scripts in the literal text of an HTML page, piece by piece. Implements the states of the HTML
 * standard (13.2.5) that pages need. If a script is missed or cut short, its hash does not match in the browser, and
 * the script stays blocked.
 */
class ScriptFinder {
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

  /** Processes one state outside of raw text. @returns the offset of its end */
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
        // the hyphens that open a comment may also close it: <!-->
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
