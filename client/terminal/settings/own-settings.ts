import { MOST_SETTINGS_BYTES, readSettings } from '../../../src/terminal/settings/read-settings.js';
import {
  type SettingName,
  settingNames,
  standardSettings,
  type TerminalSettings,
} from '../../../src/terminal/settings/terminal-settings.js';
import { words } from '../words/words.js';

interface SiteSettings {
  readonly defaults: Partial<TerminalSettings>;
  readonly locked: readonly SettingName[];
}

const NO_SITE: SiteSettings = { defaults: {}, locked: [] };

/** @param text from the page; undefined from older servers */
export function siteSettingsOf(text: string | undefined): SiteSettings {
  try {
    const { defaults, locked } = JSON.parse(text || '{}') as { readonly defaults?: unknown; readonly locked?: unknown };
    const names: readonly unknown[] = Array.isArray(locked) ? locked : [];
    return {
      defaults: readSettings(defaults ?? {}).settings,
      locked: settingNames.filter((name) => names.includes(name)),
    };
  } catch {
    return NO_SITE;
  }
}

/** Effective settings. Priority: locked by the administrator, user, administrator, product. */
export function settingsInForce(own: Partial<TerminalSettings>, { defaults, locked }: SiteSettings): TerminalSettings {
  const free = Object.fromEntries(Object.entries(own).filter(([name]) => !locked.some((one) => one === name)));
  return { ...standardSettings, ...defaults, ...free };
}

/** @returns the valid settings; undefined if the text is not a settings file */
export function settingsOfText(text: string): Partial<TerminalSettings> | undefined {
  if (text.length > MOST_SETTINGS_BYTES) return undefined;
  try {
    return readSettings(JSON.parse(text)).settings;
  } catch {
    return undefined;
  }
}

/** @returns the reason if the settings cannot be stored and read again */
export function refusalOf(own: Partial<TerminalSettings>): string | undefined {
  if (new TextEncoder().encode(JSON.stringify(own)).length > MOST_SETTINGS_BYTES)
    return words('settings.tooLarge', { bytes: MOST_SETTINGS_BYTES });
  return readSettings(own).faults.length > 0 ? words('keys.full') : undefined;
}

export function differentSettings(
  before: Partial<TerminalSettings>,
  after: Partial<TerminalSettings>,
): ReadonlySet<SettingName> {
  return new Set(settingNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])));
}
