import { type ApplicationKeys, keyMaps } from '../../../src/terminal/settings/terminal-settings.js';
import { chordsOf, chordWords, modifierOf } from '../keys/chord.js';
import { keysInForce } from '../keys/key-map.js';
import { hasRoomFor, keysByAction, WAY_OUT, withKey } from '../keys/own-keys.js';
import { button, make } from '../macros/dialog.js';
import { words } from '../words/words.js';
import { lockReason, type SettingField, type SettingsDraft } from './setting-fields.js';

interface NamedAction {
  readonly id: string;
  readonly label: string;
}

interface KeyEditorOptions {
  readonly draft: SettingsDraft;
  readonly actions: readonly NamedAction[];
  /** Name of its transaction. */
  readonly application: string;
  readonly hotKeyOwner: (chord: string) => string | undefined;
}

interface KeyConflict {
  readonly chord: string;
  readonly action: string;
  readonly holders: string;
}

export class KeyEditor implements SettingField {
  readonly element: HTMLElement;
  readonly #options: KeyEditorOptions;
  readonly #map = make('select', { id: 'settings-key-map' });
  readonly #ofApplication = make('input', { type: 'checkbox', id: 'settings-keys-of-application' });
  readonly #search = make('input', { type: 'search', id: 'settings-keys-search' });
  readonly #list = make('ul', { className: 'actions-with-keys' });
  readonly #words = make('p', { className: 'quiet key-words' });
  readonly #reason: HTMLElement | undefined;
  #waiting: string | undefined;
  /** True while rows are replaced, which also moves the focus. */
  #isShowing = false;
  #conflict: KeyConflict | undefined;

  constructor(options: KeyEditorOptions) {
    this.#options = options;
    const { draft, application } = options;
    this.#reason = lockReason('keyMap', draft) ?? lockReason('keys', draft);
    for (const name of keyMaps) this.#map.append(make('option', { value: name }, name));
    this.#map.disabled = draft.isLocked('keyMap');
    this.#map.addEventListener('change', () => {
      const keyMap = keyMaps.find((name) => name === this.#map.value);
      if (keyMap !== undefined) this.#change({ ...this.#keys, keyMap });
    });
    this.#ofApplication.disabled = draft.isLocked('applicationKeys') || this.#reason !== undefined;
    this.#ofApplication.addEventListener('change', () => {
      const { [application]: _, ...others } = draft.shown.applicationKeys;
      const own = { [application]: { keyMap: draft.shown.keyMap, keys: draft.shown.keys } };
      draft.change({ applicationKeys: this.#ofApplication.checked ? { ...others, ...own } : others });
    });
    this.#search.addEventListener('input', () => this.#showList());
    this.#words.setAttribute('role', 'status');
    this.element = make(
      'div',
      { className: 'key-editor' },
      make(
        'div',
        { className: 'setting' },
        make('label', { htmlFor: this.#map.id }, words('setting.keyMap')),
        this.#map,
        this.#reason,
      ),
      make(
        'div',
        { className: 'setting switch' },
        this.#ofApplication,
        make('label', { htmlFor: this.#ofApplication.id }, words('keys.ofApplication', { application })),
      ),
      make(
        'details',
        {},
        make('summary', {}, words('keys.own')),
        make('p', { className: 'quiet' }, words('keys.how')),
        make('label', { htmlFor: this.#search.id }, words('keys.search')),
        this.#search,
        this.#words,
        this.#list,
      ),
    );
    this.element.addEventListener('keydown', (event) => this.#keyDown(event), { capture: true });
    this.element.addEventListener('keyup', (event) => this.#keyUp(event), { capture: true });
    // the list must not change between press and release of a button, so the focus stays
    this.#list.addEventListener('mousedown', (event) => {
      if (this.#waiting !== undefined) event.preventDefault();
    });
  }

  show(): void {
    const { draft, application } = this.#options;
    this.#ofApplication.checked = draft.shown.applicationKeys[application] !== undefined;
    this.#map.value = this.#keys.keyMap;
    this.#showList();
  }

  get #keys(): ApplicationKeys {
    const { keyMap, keys, applicationKeys } = this.#options.draft.shown;
    return applicationKeys[this.#options.application] ?? { keyMap, keys };
  }

  #change(keys: ApplicationKeys): void {
    const { draft, application } = this.#options;
    const { applicationKeys } = draft.shown;
    if (!hasRoomFor(keys.keys)) {
      this.#say(words('keys.full'));
      this.#showList();
      return;
    }
    if (applicationKeys[application] === undefined) draft.change({ keyMap: keys.keyMap, keys: keys.keys });
    else draft.change({ applicationKeys: { ...applicationKeys, [application]: keys } });
  }

  #say(text: string): void {
    this.#words.textContent = text;
  }

  #labelOf(action: string): string {
    return this.#options.actions.find(({ id }) => id === action)?.label ?? action;
  }

  /** Any key ends the waiting, so that keyboard users cannot get stuck. */
  #keyDown(event: KeyboardEvent): void {
    if (this.#waiting === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (modifierOf(event) !== undefined) return;
    const chord = chordsOf(event)[0];
    if (chord === undefined) {
      this.#wait(undefined);
      this.#say(words('keys.character'));
      this.#showList();
      return;
    }
    this.#pressed(chord);
  }

  #keyUp(event: KeyboardEvent): void {
    const modifier = modifierOf(event);
    if (this.#waiting === undefined || modifier === undefined) return;
    event.preventDefault();
    this.#pressed(modifier);
  }

  #pressed(chord: string): void {
    const action = this.#waiting ?? '';
    const now = keysInForce(this.#keys).get(chord);
    this.#wait(undefined);
    const key = chordWords(chord);
    const macro = this.#macroBefore(chord);
    const conflicts = [
      ...(now === undefined || now === action ? [] : [words('keys.conflict', { key, action: this.#labelOf(now) })]),
      ...(macro === undefined ? [] : [words('keys.conflictMacro', { key, name: macro })]),
    ];
    if (conflicts.length > 0) {
      this.#conflict = { chord, action, holders: conflicts.join(' ') };
      this.#say('');
      this.#showList();
      this.#list.querySelector<HTMLElement>('.conflict button')?.focus();
      return;
    }
    this.#give(chord, action);
  }

  #give(chord: string, action: string): void {
    const keys = this.#keys;
    const isLast = keysByAction(keysInForce(keys)).get(WAY_OUT)?.join() === chord;
    if (isLast && action !== WAY_OUT) {
      this.#say(words('keys.wayOut'));
      return;
    }
    const text =
      action === ''
        ? words('keys.taken', { key: chordWords(chord) })
        : words('keys.given', { key: chordWords(chord), action: this.#labelOf(action) });
    this.#say(text);
    const isKept = action !== '' && this.#options.hotKeyOwner(chord) !== undefined;
    this.#change({ ...keys, keys: withKey(keys, chord, action, isKept) });
    this.#focus(action);
  }

  /** Macro whose hot key has priority over the base map. */
  #macroBefore(chord: string): string | undefined {
    const isOwn = (this.#keys.keys[chord] ?? '') !== '';
    return isOwn ? undefined : this.#options.hotKeyOwner(chord);
  }

  #wait(action: string | undefined): void {
    this.#waiting = action;
    this.#conflict = undefined;
    if (action !== undefined) this.#say(words('keys.press', { action: this.#labelOf(action) }));
  }

  #focus(action: string): void {
    const wanted = [...this.#list.querySelectorAll<HTMLElement>('[data-action]')];
    const found = wanted.find((one) => one.dataset.action === action);
    (found?.querySelector<HTMLElement>('.add') ?? this.#search).focus();
  }

  #showList(): void {
    const sought = this.#search.value.trim().toLowerCase();
    const byAction = keysByAction(keysInForce(this.#keys));
    const isLocked = this.#reason !== undefined;
    const rows = this.#options.actions.flatMap(({ id, label }) => {
      const chords = byAction.get(id) ?? [];
      const text = `${label} ${chords.map(chordWords).join(' ')}`.toLowerCase();
      return text.includes(sought) ? [this.#row(id, label, chords, isLocked)] : [];
    });
    const focused = (document.activeElement?.closest('[data-action]') as HTMLElement | null)?.dataset.action;
    const hadFocus = this.#list.contains(document.activeElement);
    this.#isShowing = true;
    this.#list.replaceChildren(...rows);
    this.#isShowing = false;
    if (hadFocus && focused !== undefined) this.#focus(focused);
  }

  #row(id: string, label: string, chords: readonly string[], isLocked: boolean): HTMLElement {
    const keys = chords.map((chord) => {
      const text = chordWords(chord);
      const remove = button('×', () => this.#give(chord, ''), { className: 'remove', disabled: isLocked });
      remove.ariaLabel = words('keys.remove', { key: text, action: label });
      const macro = this.#macroBefore(chord);
      const told =
        macro === undefined ? undefined : make('span', { className: 'quiet' }, words('keys.hidden', { name: macro }));
      return make('span', { className: 'key' }, make('kbd', {}, text), remove, told);
    });
    const isWaiting = this.#waiting === id;
    const add = button(
      isWaiting ? words('keys.waiting') : '+',
      () => {
        this.#wait(id);
        this.#showList();
        // some browsers do not focus clicked buttons
        this.#focus(id);
      },
      { className: isWaiting ? 'add waiting' : 'add', disabled: isLocked },
    );
    add.ariaLabel = isWaiting ? words('keys.press', { action: label }) : words('keys.add', { action: label });
    add.addEventListener('blur', () => {
      if (this.#waiting === id && !this.#isShowing) {
        this.#wait(undefined);
        this.#say('');
        this.#showList();
      }
    });
    const row = make('li', {}, make('span', { className: 'action' }, label), ...keys, add);
    row.dataset.action = id;
    const conflict = this.#conflict;
    if (conflict?.action === id) row.append(this.#question(conflict));
    return row;
  }

  #question({ chord, action, holders }: KeyConflict): HTMLElement {
    const answer = (isTaken: boolean) => {
      this.#conflict = undefined;
      this.#say('');
      if (isTaken) this.#give(chord, action);
      this.#showList();
      this.#focus(action);
    };
    const told = make('p', { id: 'key-conflict' }, holders);
    const take = button(words('keys.take', { key: chordWords(chord) }), () => answer(true));
    take.setAttribute('aria-describedby', told.id);
    return make(
      'div',
      { className: 'conflict' },
      told,
      take,
      button(words('keys.leave'), () => answer(false)),
    );
  }
}
