import type { HostMessage } from '../../src/terminal/protocol/server-message.js';
import type { FieldEncryption } from '../crypto/field-encryption.js';
import { sessionCodeOf } from '../form/session-address.js';
import { ringAlarm } from './alarm.js';
import { Announcer } from './announcer.js';
import { type AutomaticInput, OTHER_SCREEN, type Recording } from './automatic-input.js';
import { CursorPlacement } from './cursor-placement.js';
import { withFieldLabel } from './field-label.js';
import { HostWait } from './host-wait.js';
import { IdleTime } from './idle-time.js';
import { InformationLine, keyboardWords } from './information-line.js';
import { MacroLink } from './macro-link.js';
import { PlayedTerminal } from './macros/model/played-terminal.js';
import { TRIGGER } from './model/attention-key.js';
import { BrowserTerminal } from './model/browser-terminal.js';
import { HostCharacters } from './model/host-characters.js';
import type { SubmittedField } from './model/submission-form.js';
import { Notices } from './notice.js';
import { reloadPlain } from './page-storage.js';
import { screenLines } from './screen-lines.js';
import { ScreenView } from './screen-view.js';
import { ServerConnection, type SessionMessage } from './server-connection.js';
import { endingWords, showEnding } from './session-ending.js';
import type { Settings } from './settings/settings.js';
import { shownScreen } from './shown-screen.js';
import { fieldsForServer } from './submitted-fields.js';
import { Supervision } from './supervision.js';
import type { TerminalElements } from './terminal-elements.js';
import { type TerminalEvents, TerminalListeners } from './terminal-events.js';
import { isHostKey } from './terminal-keys.js';
import { terminalUser } from './terminal-user.js';
import { forgetDraft, keepDraft, takeDraft } from './typed-draft.js';
import { type TerminalUser, UserInput } from './user-input.js';
import { words } from './words/words.js';

export class Terminal {
  readonly #characters = new HostCharacters();
  readonly #model = new BrowserTerminal({
    attention: (key, isTypedAhead) => this.#attention(key, isTypedAhead),
    blankFill: () => this.settings.get('blankFill'),
    characters: this.#characters,
  });
  readonly view: ScreenView;
  readonly #line: InformationLine;
  readonly #announcer: Announcer;
  readonly #elements: TerminalElements;
  readonly #connection: ServerConnection;
  readonly #encryption: FieldEncryption | undefined;
  readonly code: string;
  /** Undefined until the first attempt has ended: no message is shown before. */
  #online: boolean | undefined;
  #ended: string | undefined;
  #message = '';
  #host: HostMessage | undefined;
  #alarms = 0;
  #submitted: readonly SubmittedField[] = [];
  #lastWords = '';
  readonly #placement: CursorPlacement;
  readonly #wait: HostWait;
  readonly #idle: IdleTime;
  readonly notices: Notices;
  readonly #listeners = new TerminalListeners();
  #activity = '';
  #elsewhere = '';
  #occupant: AutomaticInput | undefined;
  #recording: Recording | undefined;
  /** A file transfer locks the keyboard, so the wait must not be reported. */
  isTransferring = false;
  readonly played: PlayedTerminal;
  readonly macroLink: MacroLink;
  /** Actions of the user: typing, keys, pointer. Macros and other scripts use them too. */
  readonly user: TerminalUser;
  readonly #input: UserInput;

  /** Type-ahead while the keyboard is locked, unless the setting forbids it. */
  readonly #takesKeys = () => this.#model.lock !== 1 || this.settings.get('typeAhead');

  /** @param path of the session, `/w2h/PAGE++SvcSession=<code>` */
  constructor(
    readonly path: string,
    encryption: FieldEncryption | undefined,
    readonly settings: Settings,
    elements: TerminalElements,
  ) {
    this.code = sessionCodeOf(path);
    this.#encryption = encryption;
    this.#elements = elements;
    this.view = new ScreenView(elements.screen);
    this.#placement = new CursorPlacement(elements.screen, this.view);
    this.#line = new InformationLine(elements.information);
    this.#announcer = new Announcer(elements.announcements);
    this.notices = new Notices(elements.notices, () => this.focus());
    this.#wait = new HostWait(this, this.notices, () => {
      this.#connection.checkServer();
      this.#refresh();
    });
    this.#idle = new IdleTime(this, (isUserThere) => this.#connection.askTime(isUserThere));
    const supervision = new Supervision(this, path);
    this.#connection = new ServerConnection(path, {
      operator: (message) => supervision.take(message),
      printed: (message) => this.#listeners.printed(message),
      files: (message) => this.#listeners.files(message),
      time: (message) => this.#idle.told(message),
      characters: (message) => this.#characters.take(message),
      message: (message) => this.#take(message),
      macro: (message) => this.macroLink.take(message),
      host: (message) => {
        this.#host = message;
        this.#refresh();
      },
      confirmed: () => this.#refresh(),
      online: (isOnline) => {
        this.#online = isOnline;
        if (!isOnline) this.macroLink.lost();
        // stays until the next key: the user may not have read the previous message
        if (isOnline && this.#message === words('connection.notSent')) this.#say(words('connection.again'));
        this.#refresh();
        this.#occupant?.notice();
      },
      ended: (reason, detail) => this.#end(reason, detail),
      blocked: () => reloadPlain(),
      lost: () => this.#say(words('connection.lostSubmit')),
      // while waiting, request the whole screen: the message that unlocks the keyboard may be lost
      revision: () => (this.#model.lock !== 1 ? this.#model.revision : undefined),
    });
    this.macroLink = new MacroLink({
      send: (message) => this.#connection.send(message),
      page: () => this.#connection.page,
      playedElsewhere: (name) => {
        this.#elsewhere = name === undefined ? '' : words('play.elsewhere', { name });
        this.#refresh();
      },
    });
    this.played = new PlayedTerminal(this.#model, {
      send: (key) => this.#sendAsIs(key),
      breach: () => this.#breach(),
      show: () => this.#refresh(),
    });
    this.user = terminalUser({
      model: this.#model,
      isOccupied: () => this.#occupant !== undefined,
      isPlacing: () => this.#placement.isPlacing,
      isOver: () => this.isOver,
      send: (key) => this.#send(key),
      press: (key) => this.#press(key),
      pasted: (outcome) => this.#listeners.pasted(outcome),
      endComposition: () => this.#input.endComposition(),
      forgetMessage: () => {
        this.#message = '';
      },
      refresh: () => this.#refresh(),
      placeCursor: (takesFocus) => this.#placeCursor(takesFocus),
      takesKeys: this.#takesKeys,
    });
    this.#input = new UserInput(elements.screen, this.view, this.user);
    addEventListener('pagehide', () => this.#leave());
    void this.#connection.begin();
  }

  press(name: string): void {
    if (isHostKey(name)) this.user.send(name);
    else this.user.press(name);
  }

  set activity(text: string) {
    this.#activity = text;
  }

  /** While set, user input is blocked; Esc stops the occupant. */
  set occupant(occupant: AutomaticInput | undefined) {
    this.#occupant = occupant;
    if (occupant !== undefined) this.#message = '';
    this.#refresh();
  }

  set recording(recording: Recording | undefined) {
    this.#recording = recording;
    this.#model.recording = recording && ((action) => recording.performed(action));
    this.#refresh();
  }

  get isRecording(): boolean {
    return this.#recording !== undefined;
  }

  announce(text: string): void {
    this.#announcer.say(text);
  }

  say(text: string): void {
    this.#say(text);
    this.#refresh();
  }

  get element(): HTMLElement {
    return this.#elements.screen;
  }

  /** Leaves the page without a question. @returns false if it is not possible now */
  leave(): boolean {
    if (!this.#online || this.#ended !== undefined) return false;
    this.#ended = endingWords('disconnected');
    this.#connection.close();
    forgetDraft(this.path);
    return true;
  }

  focus(): void {
    this.#placeCursor(true);
  }

  /** Undefined before the server has sent it. */
  get host(): HostMessage | undefined {
    return this.#host;
  }

  get isOnline(): boolean | undefined {
    return this.#online;
  }

  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  /** Callers that change the model call `refresh`. */
  get model(): BrowserTerminal {
    return this.#model;
  }

  listen(events: Partial<TerminalEvents>): void {
    this.#listeners.add(events);
  }

  refresh(): void {
    this.#refresh();
  }

  #take(message: SessionMessage): void {
    if (message.k === 'a') {
      this.#model.carriedOut();
    } else if (message.k === 'r') {
      if (message.e === OTHER_SCREEN) this.#model.refusedForScreen(this.#submitted);
      else this.#model.refused();
      const reason = withFieldLabel(this.#model, message.m);
      this.#say(reason);
      this.#offerUnsent(reason);
      if (message.e === OTHER_SCREEN) this.#occupant?.refused();
      else this.#occupant?.stop(words('play.refused', { message: reason }));
    } else {
      const isFirst = this.#model.revision === undefined;
      // a change to a revision that this page does not have
      if (!this.#model.receive(message)) {
        this.#connection.reconnect();
        return;
      }
      if (isFirst) this.#model.restore(takeDraft(this.path));
      if (message.o !== undefined) this.#message = message.o;
      this.#offerUnsent(words('screen.replaced'));
      const isAlarm = this.#model.alarms > this.#alarms;
      if (isAlarm) ringAlarm(this.#elements.screen, this.settings.get('bell'));
      this.#alarms = this.#model.alarms;
      this.#announcer.screenChanged(screenLines(this.#model), isAlarm ? words('alarm') : '');
    }
    this.#refresh();
    if (message.k !== 'a' && message.k !== 'r') this.#listeners.screen();
    this.#occupant?.notice();
    this.#placeCursor(this.#placement.hasFocus);
  }

  /** @param reason why it was not sent */
  #offerUnsent(reason: string): void {
    const text = this.#model.takeUnsent();
    if (text === undefined) return;
    this.#listeners.unsent(text);
    this.#say(`${reason} ${words('paste.typed')}`);
  }

  #send(key: string): void {
    if (this.#ended !== undefined) {
      if (key === 'DISCONNECT') this.#goAway();
      else if (key === 'ENTER') location.assign(this.#elements.alert.dataset.again ?? '/');
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
      this.#say(words('connection.notSent'));
      this.#refresh();
      return;
    }
    if (this.#takesKeys()) this.#model.press(key);
    this.#refresh();
  }

  /** Sends a key without keyboard state and fields. */
  #sendAsIs(key: string): void {
    this.#announcer.actedOn();
    this.#connection.submit(() => ({ a: key }));
    if (key === 'DISCONNECT') return;
    this.#recording?.sent(key);
    this.#listeners.sent(key);
  }

  #press(key: string): void {
    if (this.isOver) return;
    if (this.#occupant !== undefined) {
      if (key === 'Reset') this.#occupant.stop(words('play.stopped'));
      return;
    }
    if (key === 'Reset' || this.#takesKeys()) this.#model.press(key);
    this.#message = '';
    this.#refresh();
  }

  /** A key was pressed or taken from type-ahead. */
  #attention(key: string, isTypedAhead: boolean): void {
    const model = this.#model;
    if (key === TRIGGER) {
      // a key without a protocol code
      model.refused();
      return;
    }
    const { cursor, fields } = model.formFor(key);
    const screens = this.#occupant?.screens;
    const base = isTypedAhead ? ({ y: 1 } as const) : { r: model.revision };
    this.#submitted = fields;
    model.submitted(key, true);
    this.#announcer.actedOn();
    this.#listeners.sent(key);
    this.#connection.submit((page, number) => ({
      a: key,
      ...base,
      u: cursor,
      ...(screens && { x: screens }),
      ...fieldsForServer(fields, this.#encryption, this.code, `${page}.${number}`),
    }));
  }

  #breach(): string | undefined {
    if (this.#ended !== undefined) return words('play.sessionEnded');
    return this.#online ? undefined : words('play.connectionLost');
  }

  #placeCursor(takesFocus: boolean): void {
    this.#placement.place(this.#model.cursor, takesFocus);
  }

  #refresh(): void {
    const model = this.#model;
    if (model.revision !== undefined) this.view.show(shownScreen(model));
    const isWaiting = model.lock === 1 && this.#online === true && !this.isOver && !this.isTransferring;
    this.#wait.update(isWaiting, model.lock === 0);
    const columns = Math.max(model.columns, 1);
    const information = {
      online: this.#online ?? true,
      ended: this.#ended,
      lock: model.revision === undefined ? 0 : model.lock,
      insertMode: model.insertMode,
      isConfirmed: this.#connection.isConfirmed,
      typedAhead: this.isOver ? 0 : model.typedAhead,
      row: Math.floor(model.cursor / columns) + 1,
      column: (model.cursor % columns) + 1,
      message: this.#message,
      activity: this.#activity || this.#elsewhere,
      waitSeconds: this.#wait.seconds ?? 0,
      lastResponse: this.#wait.lastResponse,
      host: this.#host,
    };
    this.#line.show(information);
    this.#elements.screen.classList.toggle('locked', model.lock !== 0 || !this.#online);
    this.#elements.screen.classList.toggle('inserting', model.insertMode);
    const [, state] = keyboardWords(information);
    if (state !== this.#lastWords && state !== '' && model.lock !== 1) this.#announcer.say(state);
    this.#lastWords = state;
    this.#listeners.refreshed();
  }

  #say(text: string): void {
    this.#message = text;
    this.#announcer.say(text);
  }

  #end(reason: string, detail: string): void {
    this.#ended = endingWords(reason);
    this.#connection.close();
    this.#idle.close();
    forgetDraft(this.path);
    this.#refresh();
    this.#occupant?.notice();
    this.#listeners.ended(reason);
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
    keepDraft(this.path, this.#model.snapshot());
    navigator.sendBeacon(this.path, new URLSearchParams({ pf: 'PAGE-CLOSED' }));
  }
}
