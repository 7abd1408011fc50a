import type { FieldEncryption } from '../crypto/field-encryption.js';
import { sessionCodeOf } from '../form/session-address.js';
import { Announcer } from './announcer.js';
import { InformationLine, keyboardWords } from './information-line.js';
import { meaningOf } from './keyboard-map.js';
import { TRIGGER } from './model/attention-key.js';
import { TerminalModel } from './model/terminal-model.js';
import { ScreenView } from './screen-view.js';
import { ServerConnection, type ServerMessage } from './server-connection.js';
import { endingWords, showEnding } from './session-ending.js';
import { shownScreen } from './shown-screen.js';

export interface TerminalElements {
  readonly screen: HTMLElement;
  readonly information: HTMLElement;
  readonly announcements: HTMLElement;
  readonly alert: HTMLElement;
}

const DRAFT_KEY = 'sallyport-draft';

/** The terminal: keys go to the model, what the model shows goes to the view, attention keys go to the server. */
export class Terminal {
  readonly #model = new TerminalModel({ attention: (key) => this.#attention(key) });
  readonly #view: ScreenView;
  readonly #line: InformationLine;
  readonly #announcer: Announcer;
  readonly #elements: TerminalElements;
  readonly #connection: ServerConnection;
  readonly #encryption: FieldEncryption | undefined;
  readonly #code: string;
  readonly #path: string;
  #online = false;
  #ended: string | undefined;
  #message = '';
  #alarms = 0;
  #hasScreen = false;
  #lastWords = '';
  /** We are moving the focus or the selection ourselves. */
  #placing = false;

  constructor(path: string, encryption: FieldEncryption | undefined, elements: TerminalElements) {
    this.#path = path;
    this.#code = sessionCodeOf(path);
    this.#encryption = encryption;
    this.#elements = elements;
    this.#view = new ScreenView(elements.screen);
    this.#line = new InformationLine(elements.information);
    this.#announcer = new Announcer(elements.announcements);
    this.#connection = new ServerConnection(path, {
      message: (message) => this.#take(message),
      online: (isOnline) => {
        this.#online = isOnline;
        this.#refresh();
      },
      ended: (reason, detail) => this.#end(reason, detail),
      blocked: () => {
        sessionStorage.setItem('sallyport-plain', '1');
        location.reload();
      },
      lost: () => this.#say('What was sent last did not arrive: the screen is as it was before.'),
      // while it waits, whoever connects anew is sent the whole screen: what freed the keyboard may have been lost
      revision: () => (this.#hasScreen && this.#model.lock !== 1 ? this.#model.revision : undefined),
    });
    this.#listen();
    void this.#connection.begin();
  }

  /** Presses a key by its name: of the keyboard, or an attention key. */
  press(name: string): void {
    if (/^(?:ENTER|CLEAR|ATTN|SYSREQ|DISCONNECT|P[AF]\d+)$/.test(name)) this.#send(name);
    else {
      this.#model.press(name);
      this.#message = '';
      this.#refresh();
    }
    this.focus();
  }

  /** The page leaves by itself. @returns false where it cannot now */
  leave(): boolean {
    if (!this.#online || this.#ended !== undefined) return false;
    this.#ended = endingWords('disconnected');
    this.#connection.close();
    sessionStorage.removeItem(DRAFT_KEY);
    return true;
  }

  /** Where the cursor is. */
  focus(): void {
    this.#placeCursor(true);
  }

  /** The text of the screen, for the clipboard. */
  screenText(): string {
    return this.#lines().join('\n');
  }

  paste(text: string): void {
    this.#model.paste(text);
    this.#refresh();
    this.focus();
  }

  #take(message: ServerMessage): void {
    if (message.k === 'a') {
      this.#model.carriedOut();
    } else if (message.k === 'r') {
      this.#model.refused();
      this.#say(String(message.m));
    } else {
      const isFirst = !this.#hasScreen;
      const isCurrent = this.#model.receive(message as never);
      if (isCurrent) this.#hasScreen = true;
      else {
        // a change of a screen that we do not have: who connects anew is sent the whole one
        this.#hasScreen = false;
        this.#connection.reconnect();
        return;
      }
      if (isFirst) this.#restoreDraft();
      if (typeof message.o === 'string') this.#message = message.o;
      if (this.#model.alarms > this.#alarms) this.#ring();
      this.#alarms = this.#model.alarms;
      this.#announcer.screenChanged(this.#lines());
    }
    this.#refresh();
    this.#placeCursor(
      document.activeElement === document.body || this.#elements.screen.contains(document.activeElement),
    );
  }

  #send(key: string): void {
    if (this.#ended !== undefined) {
      if (key === 'DISCONNECT') this.#goAway();
      return;
    }
    this.#message = '';
    const model = this.#model;
    if (key === 'DISCONNECT' || key === 'ATTN' || key === 'SYSREQ') {
      this.#connection.submit(() => ({ a: key }));
      return;
    }
    if (!this.#online) {
      this.#say('Not connected: the key was not sent.');
      this.#refresh();
      return;
    }
    model.press(key);
    this.#refresh();
  }

  /** A key was pressed, or was typed ahead and its turn has come. */
  #attention(key: string): void {
    const model = this.#model;
    if (key === TRIGGER) {
      // a key of its own that the protocol does not have
      model.refused();
      return;
    }
    const { cursor, fields } = model.formFor(key);
    model.submitted(key, true);
    this.#connection.submit((page, number) => ({
      a: key,
      u: cursor,
      ...this.#wireFields(fields, `${page}.${number}`),
    }));
  }

  /** Fields as they travel: those that are not displayed encrypted, under a key that is new each time. */
  #wireFields(
    fields: readonly { readonly id: string; readonly text: string; readonly nonDisplayable: boolean }[],
    number: string,
  ): object {
    const encryption = this.#encryption;
    const wire: Record<string, string> = {};
    let s: string | undefined;
    for (const { id, text, nonDisplayable } of fields) {
      if (!nonDisplayable || encryption === undefined || text === '') {
        wire[id] = text;
        continue;
      }
      s ??= encryption.newSessionKey();
      wire[id] = encryption.encrypt(text, this.#code + id + number);
    }
    encryption?.forget();
    return { f: wire, ...(s === undefined || s === '' ? {} : { s }) };
  }

  #listen(): void {
    const { screen } = this.#elements;
    screen.addEventListener('keydown', (event) => this.#keyDown(event));
    screen.addEventListener('beforeinput', (event) => this.#beforeInput(event));
    screen.addEventListener('input', (event) => this.#inputChanged(event));
    screen.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain');
      if (text === undefined) return;
      event.preventDefault();
      this.paste(text);
    });
    screen.addEventListener('pointerup', (event) => this.#pointed(event));
    screen.addEventListener('focusin', (event) => this.#focused(event));
    addEventListener('pagehide', () => this.#leave());
    addEventListener('resize', () => this.#view.revealCursor(true));
  }

  #keyDown(event: KeyboardEvent): void {
    const meaning = meaningOf(event);
    if (meaning === undefined) {
      const isCharacter = event.key.length > 0 && [...event.key].length === 1 && !event.isComposing;
      const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
      if (!isCharacter || isCommand) return;
      event.preventDefault();
      this.#type(event.key);
      return;
    }
    event.preventDefault();
    if ('send' in meaning) this.#send(meaning.send);
    else {
      this.#model.press(meaning.press);
      this.#message = '';
      this.#refresh();
    }
    this.#placeCursor(true);
  }

  #beforeInput(event: InputEvent): void {
    if (event.inputType === 'insertText' && event.data !== null) {
      const { target } = event;
      // what replaces a selection is taken over when it is there
      if (target instanceof HTMLInputElement && target.selectionStart !== target.selectionEnd) return;
      event.preventDefault();
      this.#type(event.data);
    } else if (event.inputType === 'deleteContentBackward') {
      event.preventDefault();
      this.press('BackSpace');
      this.press('Delete');
    } else if (event.inputType === 'insertLineBreak') {
      event.preventDefault();
      this.#send('ENTER');
    }
  }

  /** A field that was filled in whole: by a password manager, an input method, a program. */
  #inputChanged(event: Event): void {
    if ((event as InputEvent).isComposing === true || !(event.target instanceof HTMLInputElement)) return;
    const input = event.target;
    const place = this.#view.fieldOfInput.get(input);
    if (place === undefined) return;
    if (this.#model.lock !== 0) {
      this.#refresh();
      return;
    }
    const { start, field } = place;
    // what there is no room for is not for the next field
    const text = [...input.value].slice(0, field.length - (start - field.address - 1)).join('');
    this.#model.moveCursor(start);
    this.#model.press('EraseEOF');
    this.#model.type(text);
    this.#refresh();
    this.#placeCursor(false);
  }

  #type(text: string): void {
    this.#model.type(text);
    this.#message = '';
    this.#refresh();
    this.#placeCursor(true);
  }

  #pointed(event: PointerEvent): void {
    if (getSelection()?.isCollapsed === false) return;
    const position = this.#view.positionAt(event.clientX, event.clientY);
    if (position === undefined) return;
    this.#model.moveCursor(position);
    this.#refresh();
    this.#placeCursor(true);
  }

  /** The focus came to an input by other ways than ours: the cursor goes there. */
  #focused(event: FocusEvent): void {
    if (this.#placing || !(event.target instanceof HTMLInputElement)) return;
    const place = this.#view.fieldOfInput.get(event.target);
    if (place === undefined) return;
    const { field, start } = place;
    const { cursor } = this.#model;
    const isThere = cursor >= start && cursor < start + field.length;
    if (!isThere) this.#model.moveCursor(start);
    this.#refresh();
  }

  #placeCursor(takesFocus: boolean): void {
    this.#view.revealCursor();
    if (!takesFocus) return;
    const { cursor } = this.#model;
    this.#placing = true;
    const input = this.#view.inputAt(cursor);
    if (input === undefined) {
      if (document.activeElement !== this.#elements.screen) this.#elements.screen.focus({ preventScroll: true });
    } else {
      if (document.activeElement !== input.element) {
        input.element.focus({ preventScroll: true });
      }
      const offset = Math.min(cursor - input.start, input.element.value.length);
      input.element.setSelectionRange(offset, offset);
    }
    this.#placing = false;
  }

  #refresh(): void {
    const model = this.#model;
    if (this.#hasScreen) this.#view.show(shownScreen(model));
    const columns = Math.max(model.columns, 1);
    const information = {
      online: this.#online,
      ended: this.#ended,
      lock: model.lock,
      insertMode: model.insertMode,
      typedAhead: model.typedAhead,
      row: Math.floor(model.cursor / columns) + 1,
      column: (model.cursor % columns) + 1,
      message: this.#message,
    };
    this.#line.show(information);
    this.#elements.screen.classList.toggle('locked', model.lock !== 0 || !this.#online);
    this.#elements.screen.classList.toggle('inserting', model.insertMode);
    const [, words] = keyboardWords(information);
    if (words !== this.#lastWords && words !== '' && model.lock !== 1) this.#announcer.say(words);
    this.#lastWords = words;
  }

  #lines(): string[] {
    const { columns, rows } = this.#model;
    const cells = this.#model.cells();
    return Array.from({ length: rows }, (_, row) =>
      cells
        .slice(row * columns, (row + 1) * columns)
        .join('')
        .trimEnd(),
    );
  }

  #say(text: string): void {
    this.#message = text;
    this.#announcer.say(text);
  }

  #ring(): void {
    const { screen } = this.#elements;
    screen.classList.add('alarm');
    setTimeout(() => screen.classList.remove('alarm'), 400);
    this.#announcer.say('Alarm');
  }

  #end(reason: string, detail: string): void {
    this.#ended = endingWords(reason);
    this.#connection.close();
    sessionStorage.removeItem(DRAFT_KEY);
    this.#refresh();
    if (reason === 'disconnected') {
      this.#goAway();
      return;
    }
    showEnding(this.#elements.alert, reason, detail);
  }

  #goAway(): void {
    location.replace(this.#elements.alert.dataset.leave ?? '/');
  }

  /** What was typed and not sent yet survives a reload; what is not displayed does not. */
  #leave(): void {
    if (this.#ended !== undefined) return;
    sessionStorage.setItem(DRAFT_KEY, JSON.stringify([this.#path, this.#model.snapshot()]));
    navigator.sendBeacon(this.#path, new URLSearchParams({ pf: 'PAGE-CLOSED' }));
  }

  #restoreDraft(): void {
    try {
      const [path, draft] = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '[]') as [string, never];
      if (path === this.#path) this.#model.restore(draft);
    } catch {
      // somebody else's
    }
    sessionStorage.removeItem(DRAFT_KEY);
  }
}
