import type { Action } from '../action-registry.js';
import { htmlTable, tableOf, tabSeparated } from '../model/table-copying.js';
import { screenLines } from '../screen-lines.js';
import type { Terminal } from '../terminal.js';
import { words } from '../words/words.js';
import { type Copied, putInto, writeClipboard } from './clipboard.js';
import { textAction } from './text-actions.js';
import type { TextSelection } from './text-selection.js';

const MOST_GATHERED = 1_000_000;

interface CopyKind {
  readonly copied: Copied;
  readonly said: string;
}

/** Copies the selection in several formats, always with blanks for hidden fields. */
export class Copying {
  readonly #terminal: Terminal;
  readonly #selection: TextSelection;
  readonly #copied: () => void;
  #gathered = '';

  constructor(terminal: Terminal, selection: TextSelection, copied: () => void) {
    this.#terminal = terminal;
    this.#selection = selection;
    this.#copied = copied;
    // copy commands of the browser; dialogs handle their own
    document.addEventListener('copy', (event) => this.#copyEvent(event));
  }

  actions(): readonly Action[] {
    const isPossible = () => this.#selection.area !== undefined;
    const copying = (make: () => CopyKind | undefined) => () => void this.#write(make());
    return [
      textAction(
        'copy',
        copying(() => this.#plain()),
        isPossible,
      ),
      textAction(
        'copyAppend',
        copying(() => this.#appended()),
        isPossible,
      ),
      textAction(
        'copyTable',
        copying(() => this.#table()),
        isPossible,
      ),
      textAction(
        'copyField',
        copying(() => this.#field()),
      ),
      textAction(
        'copyScreen',
        copying(() => this.#screen()),
      ),
    ];
  }

  #copyEvent(event: ClipboardEvent): void {
    const isElsewhere = event.target instanceof Element && event.target.closest('dialog, [role="search"]') !== null;
    if (event.defaultPrevented || isElsewhere || getSelection()?.isCollapsed === false) return;
    const kind = this.#selection.area && this.#plain();
    if (kind === undefined) return;
    putInto(event, kind.copied);
    this.#gathered = kind.copied.text;
    this.#copied();
    this.#terminal.say(kind.said);
  }

  async #write(kind: CopyKind | undefined): Promise<void> {
    if (kind === undefined) return;
    const isDone = await writeClipboard(kind.copied);
    if (isDone) this.#gathered = kind.copied.text;
    this.#copied();
    this.#terminal.say(isDone ? kind.said : words('copy.refused'));
  }

  #plain(): CopyKind {
    const { text } = this.#selection;
    return { copied: { text }, said: said('copied', text) };
  }

  #appended(): CopyKind | undefined {
    const { text } = this.#selection;
    const all = this.#gathered === '' ? text : `${this.#gathered}\n${text}`;
    if (all.length > MOST_GATHERED) {
      this.#terminal.say(words('copy.tooMuch'));
      return undefined;
    }
    return { copied: { text: all }, said: `${said('appended', text)} ${words('copy.inAll', { count: linesOf(all) })}` };
  }

  #table(): CopyKind {
    const { model } = this.#terminal;
    const { area } = this.#selection;
    const { columns, fields } = model;
    const table = area === undefined ? [] : tableOf({ columns, cells: model.cells(), fields }, area);
    const rows = words('copied.rows', { count: table.length });
    const parts = words('copied.columns', { count: table[0]?.length ?? 0 });
    return {
      copied: { text: tabSeparated(table), html: htmlTable(table) },
      said: words('copied.table', { rows, columns: parts }),
    };
  }

  /** The whole field at the cursor, as one line. */
  #field(): CopyKind | undefined {
    const { model } = this.#terminal;
    const { cursor, rows, columns } = model;
    const positions = rows * columns;
    const field = model.fields.find(({ start, length }) => (cursor - start + positions) % positions < length);
    if (field === undefined || field.isNonDisplayable) {
      this.#terminal.say(words(field === undefined ? 'copy.noField' : 'copy.hidden'));
      return undefined;
    }
    const cells = model.cells();
    const all = Array.from({ length: field.length }, (_, offset) => cells[(field.start + offset) % positions]);
    const text = all.join('').trimEnd();
    return { copied: { text }, said: said('copied', text) };
  }

  #screen(): CopyKind {
    const text = screenLines(this.#terminal.model).join('\n');
    return { copied: { text }, said: said('copied', text) };
  }
}

function linesOf(text: string): number {
  return text.split('\n').length;
}

function said(what: 'copied' | 'appended', text: string): string {
  const lines = linesOf(text);
  return lines > 1
    ? words(`${what}.lines`, { count: lines })
    : words(`${what}.characters`, { count: [...text].length });
}
