import type {
  ApplicationKeys,
  OwnKeys,
  SettingName,
  TerminalSettings,
} from '../../../src/terminal/settings/terminal-settings.js';
import { keyMapTables } from './key-map-tables.js';

interface KeySettings {
  get<Name extends SettingName>(name: Name): TerminalSettings[Name];
  listen(listener: (changed: ReadonlySet<SettingName>) => void): void;
}

interface KeyUse {
  readonly action: string;
  /** Assigned by the user. */
  readonly isOwn: boolean;
}

const settingsOfKeys: readonly SettingName[] = ['keyMap', 'keys', 'applicationKeys'];

/** All assigned keys and their action identifiers: the base map with the user's changes. */
export function keysInForce({ keyMap, keys }: ApplicationKeys): ReadonlyMap<string, string> {
  const all = new Map([...Object.entries(keyMapTables[keyMap]), ...Object.entries(keys)]);
  return new Map([...all].filter(([, action]) => action !== ''));
}

export class KeyMap {
  readonly #settings: KeySettings;
  readonly #application: string;
  #keys: ReadonlyMap<string, string>;
  #own: OwnKeys = {};

  constructor(settings: KeySettings, application: string) {
    this.#settings = settings;
    this.#application = application;
    this.#keys = this.#keysNow();
    settings.listen((changed) => {
      if (settingsOfKeys.some((name) => changed.has(name))) this.#keys = this.#keysNow();
    });
  }

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
