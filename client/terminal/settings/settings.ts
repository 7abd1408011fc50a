import { readSettings } from '../../../src/terminal-settings/read-settings.js';
import type { SettingName, TerminalSettings } from '../../../src/terminal-settings/terminal-settings.js';
import { CentralSettings } from './central-settings.js';
import { differentSettings, settingsInForce, settingsOfText, siteSettingsOf } from './own-settings.js';

type Own = Partial<TerminalSettings>;
type Listener = (changed: ReadonlySet<SettingName>) => void;
type Kept = { readonly kind: 'kept' } | { readonly kind: 'notKept'; readonly reason: string };

const STORAGE_KEY = 'sallyport-settings';
/** Of a user who has signed on: what the server has, for the time until it is read again. */
const COPY_PREFIX = 'sallyport-settings-of:';
const SETTLED_MILLISECONDS = 500;

/** How the user wants the terminal: what he has set, and what is so where he has set nothing. */
export class Settings {
  /** What an administrator has decided. */
  readonly site = siteSettingsOf(document.body.dataset.settings);
  readonly #central: CentralSettings | undefined;
  readonly #storageKey: string;
  #own: Own;
  /** As it is on the server, or in the browser. */
  #kept: Own;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Shown, and not kept. */
  #preview: Own | undefined;
  #inForce: TerminalSettings;
  readonly #listeners = new Set<Listener>();

  constructor() {
    const { user = '', settingsPlace } = document.body.dataset;
    const isCentral = user !== '' && settingsPlace === 'server';
    this.#storageKey = isCentral ? `${COPY_PREFIX}${user}` : STORAGE_KEY;
    this.#own = stored(this.#storageKey);
    this.#kept = this.#own;
    this.#inForce = settingsInForce(this.#own, this.site);
    // another page of this browser
    addEventListener('storage', ({ key }) => {
      if (key !== this.#storageKey) return;
      this.#kept = stored(key);
      this.#become(this.#kept);
    });
    // what was set a moment ago is not lost with the page
    addEventListener('pagehide', () => {
      if (this.#timer !== undefined) void this.keep(this.#own);
    });
    if (!isCentral) return;
    forgetOthers(this.#storageKey);
    this.#central = new CentralSettings();
    void this.#read(this.#central);
  }

  get<Name extends SettingName>(name: Name): TerminalSettings[Name] {
    return this.#inForce[name];
  }

  /** What the user has set himself. */
  get own(): Own {
    return this.#own;
  }

  /** Kept on the server, for all browsers of the user. */
  get isCentral(): boolean {
    return this.#central !== undefined;
  }

  /** The administrator has decided. */
  isLocked(name: SettingName): boolean {
    return this.site.locked.includes(name);
  }

  set<Name extends SettingName>(name: Name, value: TerminalSettings[Name]): void {
    this.#preview = undefined;
    this.#become({ ...this.#own, ...readSettings({ [name]: value }).settings });
    clearTimeout(this.#timer);
    // a turn of the wheel sets many sizes
    this.#timer = setTimeout(() => void this.keep(this.#own), SETTLED_MILLISECONDS);
  }

  /** Shows settings without keeping them; undefined: those that are kept. */
  preview(own: Own | undefined): void {
    this.#preview = own;
    this.#show();
  }

  /** Everything that the user has set. Where the server cannot be had, it is so on this page, until it is read again. */
  async keep(own: Own): Promise<Kept> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#preview = undefined;
    this.#become(own);
    if (this.#central === undefined) {
      this.#keep(own);
      return { kind: 'kept' };
    }
    const changed = differentSettings(this.#kept, own);
    const outcome = await this.#central.save(own, (newer) => {
      const untouched = Object.entries(newer).filter(([name]) => !changed.has(name as SettingName));
      const touched = Object.entries(own).filter(([name]) => changed.has(name as SettingName));
      return Object.fromEntries([...untouched, ...touched]);
    });
    if (outcome.kind === 'notSaved') return { kind: 'notKept', reason: outcome.reason };
    this.#keep(outcome.own);
    return { kind: 'kept' };
  }

  /** @param listener called with the names of what has become different */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  async #read(central: CentralSettings): Promise<void> {
    const before = this.#own;
    const outcome = await central.read();
    // what was set meanwhile comes after what was read
    if (outcome.kind === 'notRead' || this.#own !== before) return;
    this.#keep(outcome.own);
  }

  #keep(own: Own): void {
    this.#kept = own;
    store(this.#storageKey, own);
    this.#become(own);
  }

  #become(own: Own): void {
    this.#own = own;
    this.#show();
  }

  #show(): void {
    const before = this.#inForce;
    this.#inForce = settingsInForce(this.#preview ?? this.#own, this.site);
    const changed = differentSettings(before, this.#inForce);
    if (changed.size === 0) return;
    for (const listener of this.#listeners) listener(changed);
  }
}

function stored(key: string): Own {
  try {
    return settingsOfText(localStorage.getItem(key) ?? '{}') ?? {};
  } catch {
    // no storage here
    return {};
  }
}

function store(key: string, own: Own): void {
  try {
    localStorage.setItem(key, JSON.stringify(own));
  } catch {
    // without room they are those of this page
  }
}

/** What users before have left in this browser is none of the present one's business. */
function forgetOthers(own: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(COPY_PREFIX) && key !== own) localStorage.removeItem(key);
    }
  } catch {
    // no storage here
  }
}
