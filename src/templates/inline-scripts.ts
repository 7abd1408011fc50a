import type { Rendering, TemplateNode } from './rendering.js';
import { ScriptFinder } from './script-finder.js';
import type { TagInvocation } from './tag-invocation.js';
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
/** Tags that insert nothing where they stand. */
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

/** A script whose text begins in the template. */
interface InlineScript {
  /** All of it is text of the file and values of key tags. */
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

/** Those of a file that is sent as it is. */
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
 * Marks the inline scripts of an HTML page that consist of text of the file and of key tags, so that each rendering knows their text. The hash of such
 * a text allows no text of a client or a host, even if the rest of the page is not the author's.
 */
export class InlineScripts {
  readonly #finder: ScriptFinder | undefined;
  #open: InlineScript | undefined;
  #count = 0;

  constructor(contentType: string) {
    this.#finder = isHtml(contentType) ? new ScriptFinder() : undefined;
  }

  /** Appends literal text, with marks. */
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

  /** A tag other than those above makes the script that it is in depend on values. */
  pass({ name }: TagInvocation): void {
    if (!keyTags.has(name) && !silentTags.has(name)) this.endFileText();
  }

  /** The open script, if any, gets no hash: from here on, its text depends on values. */
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
