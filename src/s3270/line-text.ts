/** What of a line terminal's text is kept for scripts: the last of it. */
const MOST_CHARACTERS = 8_192;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };

/** The text that a line terminal's host has sent and no script has read. */
export class LineText {
  #text = '';

  add(bytes: Uint8Array): void {
    this.#text = (this.#text + Buffer.from(bytes).toString('utf8')).slice(-MOST_CHARACTERS);
  }

  /** All of it, with controls as C writes them; gone afterwards. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text.replace(/\p{Cc}/gu, (control) => {
      return named[control] ?? `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`;
    });
  }

  /** Whether a text has come; what stands before it, and the text itself, are gone then. */
  takePast(text: string): boolean {
    const at = this.#text.indexOf(text);
    if (at < 0) return false;
    this.#text = this.#text.slice(at + text.length);
    return true;
  }
}
