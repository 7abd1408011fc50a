import { type MacroSet, NO_MACROS } from '../../../src/macros/macro-set.js';
import { words } from '../words/words.js';
import type { MacroGroup, MacroStore, ReasonNotSaved } from './macro-store.js';
import { changedMacros, type Decide, type MacroChange, TooManyMacrosError } from './model/macro-change.js';
import { MacroFileError, macroFileText, readMacroFile } from './model/macro-file.js';

const KEY = 'sallyport-macros';
/** Keeps a copy of text that could not be read. */
const UNREADABLE_KEY = 'sallyport-macros-unreadable';

/** Macros in browser storage, shared by all users of this browser and site. */
export class LocalMacroStore implements MacroStore {
  readonly isCentralized = false;
  readonly refresh = undefined;
  readonly publishing = undefined;
  changed = () => {};
  notice = '';
  #set: MacroSet = NO_MACROS;
  /** The stored text is not valid, and no copy could be stored. */
  #isUnreadable = false;

  constructor() {
    this.#read();
    addEventListener('storage', ({ key }) => {
      if (key !== KEY) return;
      this.#read();
      this.changed();
    });
  }

  get groups(): readonly MacroGroup[] {
    return [{ title: words('local.title'), macros: this.#set.macros, isOwn: true }];
  }

  get text(): string {
    return macroFileText(this.#set);
  }

  async change(changes: readonly MacroChange[], decide: Decide): Promise<ReasonNotSaved | undefined> {
    try {
      for (;;) {
        // another tab may have written since
        const text = this.#read();
        const macros = await changedMacros(this.#set.macros, changes, decide);
        if (macros === undefined) return '';
        // or while the user decided
        if (localStorage.getItem(KEY) !== text) continue;
        if (this.#isUnreadable) return words('local.unreadableStays');
        const set = { ...this.#set, macros };
        localStorage.setItem(KEY, macroFileText(set));
        this.#set = set;
        this.notice = '';
        this.changed();
        return undefined;
      }
    } catch (thrown) {
      return thrown instanceof TooManyMacrosError ? thrown.message : words('local.noRoom');
    }
  }

  #read(): string | null {
    this.#isUnreadable = false;
    let text: string | null = null;
    try {
      text = localStorage.getItem(KEY);
      this.#set = text === null ? NO_MACROS : readMacroFile(text, true);
    } catch (thrown) {
      this.#set = NO_MACROS;
      if (!(thrown instanceof MacroFileError) || text === null) {
        // reading `localStorage` throws if storage is forbidden
        this.notice = words('local.forbidden');
        return text;
      }
      this.notice = words('local.unreadable');
      this.#isUnreadable = !isPutAside(text);
      return this.#isUnreadable ? text : null;
    }
    return text;
  }
}

/** @returns false if storage is full; the text is not moved then */
function isPutAside(text: string): boolean {
  try {
    localStorage.setItem(UNREADABLE_KEY, text);
    localStorage.removeItem(KEY);
    return true;
  } catch {
    return false;
  }
}
