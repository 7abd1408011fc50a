import type {
  ApplicationKeys,
  OwnKeys,
  SettingName,
  TerminalSettings,
} from '../../../src/terminal/settings/terminal-settings.js';
import { keyMapTables } from './key-map-tables.js';

/** Whoever knows what the user has set. */
interface KeySettings {
  get<Name extends SettingName>(name: Name): TerminalSettings[Name];
  listen(listener: (changed: ReadonlySet<SettingName>) => void): void;
}

/** What a key is for. */
interface KeyUse {
  readonly action: string;
  /** Its user has given it that himself. */
  readonly isOwn: boolean;
}

const settingsOfKeys: readonly SettingName[] = ['keyMap', 'keys', 'applicationKeys'];

/** All keys that do something, with the identifiers of their actions: those of a map, and what differs from it. */
export function keysInForce({ keyMap, keys }: ApplicationKeys): ReadonlyMap<string, string> {
  const all = new Map([...Object.entries(keyMapTables[keyMap]), ...Object.entries(keys)]);
  return new Map([...all].filter(([, action]) => action !== ''));
}

/** What the keys of the keyboard mean now, in an application. */
export class KeyMap {
  readonly #settings: KeySettings;
  readonly #application: string;
  #keys: ReadonlyMap<string, string>;
  #own: OwnKeys = {};

  /** @param application the name of its transaction */
  constructor(settings: KeySettings, application: string) {
    this.#settings = settings;
    this.#application = application;
    this.#keys = this.#keysNow();
    settings.listen((changed) => {
      if (settingsOfKeys.some((name) => changed.has(name))) this.#keys = this.#keysNow();
    });
  }

  /** The identifier of an action. @param chords names of one key, the more exact first */
  actionOf(chords: readonly string[]): string | undefined {
    for (const chord of chords) {
      const action = this.#keys.get(chord);
      if (action !== undefined) return action;
    }
    return undefined;
  }

  useOf(chord: string): KeyUse | undefined {
    const action = this.#keys.get(chord);
    return action === undefined ? undefined : { action, isOwn: this.#own[chord] === action };
  }

  /** The keys of an action. */
  keysOf(action: string): readonly string[] {
    return [...this.#keys].flatMap(([chord, one]) => (one === action ? [chord] : []));
  }

  #keysNow(): ReadonlyMap<string, string> {
    const settings = this.#settings;
    const ofApplication = settings.get('applicationKeys')[this.#application];
    const own = ofApplication ?? { keyMap: settings.get('keyMap'), keys: settings.get('keys') };
    this.#own = own.keys;
    return keysInForce(own);
  }
}
