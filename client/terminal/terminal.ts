import type { FieldEncryption } from '../crypto/field-encryption.js';
import { sessionCodeOf } from '../form/session-address.js';
import { Announcer } from './announcer.js';
import { fieldLabel } from './field-label.js';
import { InformationLine, keyboardWords } from './information-line.js';
import { PlayedTerminal } from './macros/model/played-terminal.js';
import { TRIGGER } from './model/attention-key.js';
import { BrowserTerminal } from './model/browser-terminal.js';
import type { PerformedAction } from './model/performed-action.js';
import { ScreenView } from './screen-view.js';
import { ServerConnection, type SessionMessage } from './server-connection.js';
import { endingWords, showEnding } from './session-ending.js';
import { shownScreen } from './shown-screen.js';
import { fieldsForServer } from './submitted-fields.js';
import { forgetDraft, keepDraft, takeDraft } from './typed-draft.js';
import { type TerminalUser, UserInput } from './user-input.js';

interface TerminalElements {
  readonly screen: HTMLElement;
  readonly information: HTMLElement;
  readonly announcements: HTMLElement;
  readonly alert: HTMLElement;
}

const NOT_SENT = 'Not connected: the key was not sent.';
/** Until the next key: a connection may be back before anybody has read the other one. */
const CONNECTED_AGAIN = 'Connected again: the key was not sent.';

/** Something that types in place of the user. */
interface Occupant {
  /** The terminal has changed. */
  notice(): void;
  stop(reason: string): void;
}

/** Whoever writes down what is done. */
interface Recording {
  performed(action: PerformedAction): void;
  /** A key that goes to the host past the screen. */
  sent(key: string): void;
}

/** The terminal: keys go to the model, what the model shows goes to the view, attention keys go to the server. */
export class Terminal {
  readonly #model = new BrowserTerminal({ attention: (key) => this.#attention(key) });
  readonly #view: ScreenView;
  readonly #line: InformationLine;
  readonly #announcer: Announcer;
  readonly #elements: TerminalElements;
  readonly #connection: ServerConnection;
  readonly #encryption: FieldEncryption | undefined;
  /** Of the session. */
  readonly code: string;
  readonly #path: string;
  #online = false;
  #ended: string | undefined;
  #message = '';
  #alarms = 0;
  #lastWords = '';
  /** We are moving the focus or the selection ourselves. */
  #placing = false;
  #activity = '';
  #occupant: Occupant | undefined;
  #recording: Recording | undefined;
  /** For macros. */
  readonly played: PlayedTerminal;

  constructor(path: string, encryption: FieldEncryption | undefined, elements: TerminalElements) {
    this.#path = path;
    this.code = sessionCodeOf(path);
    this.#encryption = encryption;
    this.#elements = elements;
    this.#view = new ScreenView(elements.screen);
    this.#line = new InformationLine(elements.information);
    this.#announcer = new Announcer(elements.announcements);
    this.#connection = new ServerConnection(path, {
      message: (message) => this.#take(message),
      online: (isOnline) => {
        this.#online = isOnline;
        if (isOnline && this.#message === NOT_SENT) this.#say(CONNECTED_AGAIN);
        this.#refresh();
        this.#occupant?.notice();
      },
      ended: (reason, detail) => this.#end(reason, detail),
      blocked: () => {
        sessionStorage.setItem('sallyport-plain', '1');
        location.reload();
      },
      lost: () => this.#say('What was sent last did not arrive: the screen is as it was before.'),
      // while it waits, whoever connects anew is sent the whole screen: what freed the keyboard may have been lost
      revision: () => (this.#model.lock !== 1 ? this.#model.revision : undefined),
    });
    this.played = new PlayedTerminal(this.#model, {
      send: (key) => this.#sendAsIs(key),
      isAwaitingServer: () => this.#connection.isAwaitingAnswer,
      breach: () => this.#breach(),
      show: () => this.#refresh(),
    });
    new UserInput(elements.screen, this.#view, this.#user());
    addEventListener('pagehide', () => this.#leave());
    addEventListener('resize', () => this.#view.revealCursor(true));
    void this.#connection.begin();
  }

  /** The user presses a key by its name: of the keyboard, or an attention key. */
  press(name: string): void {
    if (/^(?:ENTER|CLEAR|ATTN|SYSREQ|DISCONNECT|P[AF]\d+)$/.test(name)) this.#send(name);
    else this.#press(name);
    this.focus();
  }

  /** What goes on beside the typing, for the line below the screen. */
  set activity(text: string) {
    this.#activity = text;
  }

  /** While there is one, what the user does is not taken; Esc stops it. */
  set occupant(occupant: Occupant | undefined) {
    this.#occupant = occupant;
    if (occupant !== undefined) this.#message = '';
    this.#refresh();
  }

  set recording(recording: Recording | undefined) {
    this.#recording = recording;
    this.#model.recording = recording && ((action) => recording.performed(action));
    this.#refresh();
  }

  /** The words for a field. @param address of its attribute */
  labelOf(address: number): string {
    const { columns, fields } = this.#model;
    const field = fields.find((one) => one.address === address);
    return field === undefined ? '' : fieldLabel({ columns, cells: this.#model.cells(), fields }, field);
  }

  announce(text: string): void {
    this.#announcer.say(text);
  }

  /** In the line below the screen, and aloud. */
  say(text: string): void {
    this.#say(text);
    this.#refresh();
  }

  /** That shows the screen. */
  get element(): HTMLElement {
    return this.#elements.screen;
  }

  /** The page leaves by itself. @returns false where it cannot now */
  leave(): boolean {
    if (!this.#online || this.#ended !== undefined) return false;
    this.#ended = endingWords('disconnected');
    this.#connection.close();
    forgetDraft();
    return true;
  }

  /** Where the cursor is. */
  focus(): void {
    this.#placeCursor(true);
  }

  /** There is nothing more to type for. */
  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  /** The text of the screen, for the clipboard. */
  screenText(): string {
    return this.#lines().join('\n');
  }

  #take(message: SessionMessage): void {
    if (message.k === 'a') {
      this.#model.carriedOut();
    } else if (message.k === 'r') {
      this.#model.refused();
      this.#say(message.m);
      this.#occupant?.stop(`the server refused the key: ${message.m}`);
    } else {
      const isFirst = this.#model.revision === undefined;
      // a change of a screen that we do not have
      if (!this.#model.receive(message)) {
        this.#connection.reconnect();
        return;
      }
      if (isFirst) this.#model.restore(takeDraft(this.#path));
      if (message.o !== undefined) this.#message = message.o;
      if (this.#model.alarms > this.#alarms) this.#ring();
      this.#alarms = this.#model.alarms;
      this.#announcer.screenChanged(this.#lines());
    }
    this.#refresh();
    this.#occupant?.notice();
    this.#placeCursor(
      document.activeElement === document.body || this.#elements.screen.contains(document.activeElement),
    );
  }

  #send(key: string): void {
    if (this.#ended !== undefined) {
      if (key === 'DISCONNECT') this.#goAway();
      return;
    }
    if (key === 'DISCONNECT' || key === 'ATTN' || key === 'SYSREQ') {
      if (key !== 'DISCONNECT' && this.#occupant !== undefined) return;
      this.#message = '';
      this.#sendAsIs(key);
      return;
    }
    if (this.#occupant !== undefined) return;
    this.#message = '';
    if (!this.#online) {
      this.#say(NOT_SENT);
      this.#refresh();
      return;
    }
    this.#model.press(key);
    this.#refresh();
  }

  /** Past the keyboard and the fields. */
  #sendAsIs(key: string): void {
    this.#connection.submit(() => ({ a: key }));
    if (key !== 'DISCONNECT') this.#recording?.sent(key);
  }

  #press(key: string): void {
    if (this.isOver) return;
    if (this.#occupant !== undefined) {
      if (key === 'Reset') this.#occupant.stop('it was stopped');
      return;
    }
    this.#model.press(key);
    this.#message = '';
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
      ...fieldsForServer(fields, this.#encryption, this.code, `${page}.${number}`),
    }));
  }

  /** What is behind the keys of the user. */
  #user(): TerminalUser {
    const terminal = this;
    const model = this.#model;
    const change = (act: () => void, takesFocus = true) => {
      if (this.#occupant === undefined && !this.isOver) act();
      this.#refresh();
      this.#placeCursor(takesFocus);
    };
    const changeAnew = (act: () => void) =>
      change(() => {
        act();
        this.#message = '';
      });
    return {
      get isOccupied() {
        return terminal.#occupant !== undefined;
      },
      get isPlacing() {
        return terminal.#placing;
      },
      get isOver() {
        return terminal.isOver;
      },
      get cursor() {
        return model.cursor;
      },
      send: (key) => {
        this.#send(key);
        this.#placeCursor(true);
      },
      press: (key) => {
        this.#press(key);
        this.#placeCursor(true);
      },
      type: (text) => changeAnew(() => model.type(text)),
      paste: (text) => change(() => model.paste(text)),
      fill: (start, text) =>
        change(() => {
          if (model.lock !== 0) return;
          model.moveCursor(start);
          model.press('EraseEOF');
          model.type(text);
        }, false),
      moveTo: (position, takesFocus) => change(() => model.moveCursor(position), takesFocus),
      refresh: () => this.#refresh(),
    };
  }

  #breach(): string | undefined {
    if (this.#ended !== undefined) return 'the session has ended';
    return this.#online ? undefined : 'the connection was lost';
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
    if (model.revision !== undefined) this.#view.show(shownScreen(model));
    const columns = Math.max(model.columns, 1);
    const information = {
      online: this.#online,
      ended: this.#ended,
      lock: model.lock,
      insertMode: model.insertMode,
      typedAhead: this.isOver ? 0 : model.typedAhead,
      row: Math.floor(model.cursor / columns) + 1,
      column: (model.cursor % columns) + 1,
      message: this.#message,
      activity: this.#activity,
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
    forgetDraft();
    this.#refresh();
    this.#occupant?.notice();
    if (reason === 'disconnected') {
      this.#goAway();
      return;
    }
    showEnding(this.#elements.alert, reason, detail);
  }

  #goAway(): void {
    location.replace(this.#elements.alert.dataset.leave ?? '/');
  }

  #leave(): void {
    if (this.#ended !== undefined) return;
    keepDraft(this.#path, this.#model.snapshot());
    navigator.sendBeacon(this.#path, new URLSearchParams({ pf: 'PAGE-CLOSED' }));
  }
}
