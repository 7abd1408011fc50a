import { characterNumber, isVisible } from '../../../src/lib/text/typed-characters.js';
import type { Action } from '../action-registry.js';
import { type LeftOver, MOST_PASTED, type PasteOutcome } from '../model/pasting.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import { type LackingCharacters, lackingCharacters } from './lacking-characters.js';
import { textAction } from './text-actions.js';

export class Pasting {
  readonly #terminal: Terminal;
  #left: Pick<LeftOver, 'text'> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.listen({
      pasted: (outcome) => this.#tell(outcome),
      unsent: (text) => {
        this.#left = { text };
      },
    });
  }

  actions(): readonly Action[] {
    return [
      textAction('paste', () => void this.#fromClipboard()),
      textAction(
        'pasteRest',
        () => this.#rest(),
        () => this.#left?.text !== undefined,
      ),
      textAction('undoPaste', () => this.#undo()),
    ];
  }

  async #fromClipboard(): Promise<void> {
    let text: string;
    try {
      text = await navigator.clipboard.readText();
    } catch {
      // plain HTTP has no clipboard access, and users may deny it
      this.#terminal.say(words('paste.byKeys'));
      return;
    }
    if (text === '') this.#terminal.say(words('paste.nothing'));
    else this.#terminal.user.paste(text);
  }

  #rest(): void {
    const text = this.#left?.text;
    if (text !== undefined) this.#terminal.user.paste(text);
  }

  #tell({ outcome, left, lacking }: PasteOutcome): void {
    if (lacking !== undefined) {
      const found = lackingCharacters(lacking, (character) => this.#terminal.model.takes(character));
      this.#left = { text: found.replaced };
      this.#terminal.say(lackingWords(found));
      return;
    }
    if (outcome === 'dropped') {
      // the rest of the previous paste is still available
      this.#terminal.say(
        words(this.#terminal.model.lock === 0 ? 'paste.tooLong' : 'paste.locked', { most: MOST_PASTED }),
      );
      return;
    }
    this.#left = left;
    if (left === undefined) return;
    const { rows, columns } = this.#terminal.model;
    const { characters, position, text } = left;
    const isBelow = position >= rows * columns;
    const place = { row: Math.floor(position / columns) + 1, column: (position % columns) + 1 };
    const where = isBelow ? words('paste.below') : words('paste.at', place);
    const again = text === undefined ? '' : ` ${words('paste.again')}`;
    this.#terminal.say(`${words('paste.left', { count: characters, where })}${again}`);
  }

  #undo(): void {
    const undone = this.#terminal.model.undoPaste();
    if (undone === undefined) {
      this.#terminal.say(words('paste.notUndone'));
      return;
    }
    this.#left = undefined;
    const { kept } = undone;
    this.#terminal.say(kept === 0 ? words('paste.undone') : words('paste.undonePart', { count: kept }));
    this.#terminal.focus();
  }
}

const MOST_NAMED = 12;

function lackingWords({ count, characters, replacements, replaced }: LackingCharacters): string {
  const signs = characters.slice(0, MOST_NAMED).map(nameOf);
  if (characters.length > MOST_NAMED) signs.push('…');
  const said = words('paste.lacking', { count, named: signs.length === 0 ? '' : `: ${signs.join(' ')}` });
  if (replaced === undefined) return said;
  const pairs = [...replacements].slice(0, MOST_NAMED).map(([one, plain]) => `${nameOf(one)} → ${plain.trim() || '␣'}`);
  return `${said} ${words('paste.replaced', { replacements: pairs.join(', ') })}`;
}

/** Invisible characters are shown by code point. */
function nameOf(character: string): string {
  return isVisible(character) ? character : characterNumber(character);
}
