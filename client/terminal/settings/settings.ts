import { readSettings } from '../../../src/terminal/settings/read-settings.js';
import type { SettingName, TerminalSettings } from '../../../src/terminal/settings/terminal-settings.js';
import { forgetOthers, keepInBrowser, removeFromBrowser, textInBrowser } from '../browser-storage.js';
import { words } from '../words/words.js';
import { CentralSettings } from './central-settings.js';
import { differentSettings, refusalOf, settingsInForce, settingsOfText, siteSettingsOf } from './own-settings.js';
import { changesBetween, changesOfText, type SettingChange, withChanges } from './settings-changes.js';

type Own = Partial<TerminalSettings>;
type Listener = (changed: ReadonlySet<SettingName>) => void;
type Kept = { readonly kind: 'kept' } | { readonly kind: 'notKept'; readonly reason: string };

const KEPT: Kept = { kind: 'kept' };
const STORAGE_KEY = 'sallyport-settings';
/** Copy of the server's settings of a signed-on user. */
const COPY_PREFIX = 'sallyport-settings-of:';
/** Changes that the server had not confirmed when the page was left. */
const UNSAVED_PREFIX = 'sallyport-settings-unsaved-of:';
const SETTLED_MILLISECONDS = 500;

export class Settings {
  readonly site = siteSettingsOf(document.body.dataset.settings);
  /** Called with the reason if an automatic save fails. */
  notKept: (reason: string) => void = () => {};
  readonly #central: CentralSettings | undefined;
  readonly #storageKey: string;
  readonly #unsavedKey: string;
  #kept: Own;
  /** Changes of this page that are not saved. */
  #unsaved: readonly SettingChange[];
  /** Serializes the requests. */
  #asked: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #preview: Own | undefined;
  #inForce: TerminalSettings;
  readonly #listeners = new Set<Listener>();

  constructor() {
    const { user = '', settingsPlace } = document.body.dataset;
    const isCentral = user !== '' && settingsPlace === 'server';
    this.#storageKey = isCentral ? `${COPY_PREFIX}${user}` : STORAGE_KEY;
    this.#unsavedKey = `${UNSAVED_PREFIX}${user}`;
    this.#kept = stored(this.#storageKey);
    this.#unsaved = isCentral ? changesOfText(textInBrowser(this.#unsavedKey) ?? '[]') : [];
    this.#inForce = settingsInForce(this.own, this.site);
    // changed by another page of this browser
    addEventListener('storage', ({ key }) => {
      if (key !== this.#storageKey) return;
      this.#kept = stored(key);
      this.#show();
    });
    addEventListener('pagehide', () => this.#leave());
    if (!isCentral) return;
    forgetOthers([COPY_PREFIX, UNSAVED_PREFIX], [this.#storageKey, this.#unsavedKey]);
    const central = new CentralSettings();
    this.#central = central;
    void this.#inTurn(() => this.#read(central));
  }

  get<Name extends SettingName>(name: Name): TerminalSettings[Name] {
    return this.#inForce[name];
  }

  get own(): Own {
    return withChanges(this.#kept, this.#unsaved);
  }

  get kept(): Own {
    return this.#kept;
  }

  get isCentral(): boolean {
    return this.#central !== undefined;
  }

  isLocked(name: SettingName): boolean {
    return this.site.locked.includes(name);
  }

  set<Name extends SettingName>(name: Name, value: TerminalSettings[Name]): void {
    const { settings } = readSettings({ [name]: value });
    if (settings[name] === undefined) return;
    this.#preview = undefined;
    const others = this.#unsaved.filter((change) => change.name !== name);
    this.#unsaved = [...others, { name, value: settings[name] }];
    this.#show();
    clearTimeout(this.#timer);
    // the wheel changes the size many times
    this.#timer = setTimeout(() => void this.#saveUnasked(), SETTLED_MILLISECONDS);
  }

  /** Shows settings without saving them; undefined ends the preview. */
  preview(own: Own | undefined): void {
    this.#preview = own;
    this.#show();
  }

  /**
   * Saves all settings. If saving fails, they apply to this page and are saved with the next change.
   * @param from saved version at the start of editing: changes that another page has made since are kept
   */
  keep(own: Own, from: Own): Promise<Kept> {
    this.#preview = undefined;
    this.#unsaved = changesBetween(from, own);
    this.#show();
    return this.#save();
  }

  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  async #read(central: CentralSettings): Promise<void> {
    const outcome = await central.read();
    if (outcome.kind === 'notRead') return;
    this.#become(outcome.own, []);
    // unsaved changes of a previous page; they may have reached the server
    if (changesBetween(this.#kept, this.own).length === 0) this.#become(this.#kept, this.#unsaved);
    else void this.#saveUnasked();
  }

  async #saveUnasked(): Promise<void> {
    const outcome = await this.#save();
    if (outcome.kind === 'notKept') this.notKept(outcome.reason);
  }

  #save(): Promise<Kept> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const central = this.#central;
    if (central !== undefined) return this.#inTurn(() => this.#saveOnServer(central));
    return Promise.resolve(this.#saveInBrowser());
  }

  #inTurn<Outcome>(act: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = this.#asked.then(act);
    this.#asked = outcome;
    return outcome;
  }

  async #saveOnServer(central: CentralSettings): Promise<Kept> {
    const changes = this.#unsaved;
    if (changes.length === 0) return KEPT;
    const outcome = await central.save(this.#kept, changes);
    if (outcome.kind === 'notSaved') return { kind: 'notKept', reason: outcome.reason };
    this.#become(outcome.own, changes);
    return KEPT;
  }

  #saveInBrowser(): Kept {
    const changes = this.#unsaved;
    if (changes.length === 0) return KEPT;
    // another page may have written since
    const own = withChanges(stored(this.#storageKey), changes);
    const refusal = refusalOf(own);
    if (refusal !== undefined) return { kind: 'notKept', reason: refusal };
    if (!keepInBrowser(this.#storageKey, JSON.stringify(own)))
      return { kind: 'notKept', reason: words('settings.noRoom') };
    this.#kept = own;
    this.#unsaved = [];
    this.#show();
    return KEPT;
  }

  #leave(): void {
    const changes = this.#unsaved;
    if (changes.length === 0) return;
    if (this.#central === undefined) {
      this.#saveInBrowser();
      return;
    }
    keepInBrowser(this.#unsavedKey, JSON.stringify(changes));
    if (this.#timer !== undefined) void this.#central.save(this.#kept, changes);
  }

  /** @param saved changes that `kept` contains */
  #become(kept: Own, saved: readonly SettingChange[]): void {
    this.#kept = kept;
    this.#unsaved = this.#unsaved.filter((change) => !saved.includes(change));
    keepInBrowser(this.#storageKey, JSON.stringify(kept));
    if (this.#unsaved.length === 0) removeFromBrowser(this.#unsavedKey);
    this.#show();
  }

  #show(): void {
    const before = this.#inForce;
    this.#inForce = settingsInForce(this.#preview ?? this.own, this.site);
    const changed = differentSettings(before, this.#inForce);
    if (changed.size === 0) return;
    for (const listener of this.#listeners) listener(changed);
  }
}

function stored(key: string): Own {
  return settingsOfText(textInBrowser(key) ?? '{}') ?? {};
}
