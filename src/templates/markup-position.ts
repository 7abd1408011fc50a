const TAIL_LENGTH = 256;

/** Tracks the literal text of an HTML page, to determine the context of an inserted value. */
export class MarkupPosition {
  #isInScript = false;
  #tail = '';
  readonly #isHtml: boolean;

  constructor(contentType: string) {
    this.#isHtml = contentType.startsWith('text/html');
  }

  /** Whether an inserted value would be in a script. */
  get isInScript(): boolean {
    return this.#isInScript;
  }

  pass(text: string): void {
    if (!this.#isHtml) return;
    const folded = text.toLowerCase();
    const begins = folded.lastIndexOf('<script');
    const ends = folded.lastIndexOf('</script');
    if (begins !== ends) this.#isInScript = begins > ends;
    this.#tail = (this.#tail + text.slice(-TAIL_LENGTH)).slice(-TAIL_LENGTH);
  }

  /** What the escape option does not protect against at this position; undefined if nothing. */
  riskUnder(escapeOption: string): string | undefined {
    if (!this.#isHtml || escapeOption === 'NO-ESCAPES') return undefined;
    const isForScripts = escapeOption === 'JAVASCRIPT-ESCAPES' || escapeOption === 'JSON-ESCAPES';
    if (this.#isInScript) {
      return isForScripts
        ? undefined
        : `a value in a script is not made safe by ${escapeOption}: JAVASCRIPT-ESCAPES is for it`;
    }
    if (escapeOption === 'HTML-ESCAPES' && this.#isInSingleQuotes()) {
      return "a value in an attribute in single quotes is not made safe by HTML-ESCAPES, which leaves ' as it is: use double quotes";
    }
    return undefined;
  }

  #isInSingleQuotes(): boolean {
    const quote = this.#tail.lastIndexOf("'");
    if (quote < 0 || /[<>]/.test(this.#tail.slice(quote))) return false;
    return this.#tail.slice(0, quote).trimEnd().endsWith('=');
  }
}
