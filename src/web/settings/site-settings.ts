import { foldedName } from '../../access/users/security-name.js';
import type { TerminalSettingsRule } from '../../lines/entry-point/entry-point.js';
import type { SettingName, TerminalSettings } from '../../terminal/settings/terminal-settings.js';
import type { ClientSite } from '../http/client-site.js';

interface SettingsOfSite {
  readonly defaults: Partial<TerminalSettings>;
  readonly locked: readonly SettingName[];
}

/** Settings of the user's group override those of the entry point. */
export function siteSettings({ entryPoint }: Pick<ClientSite, 'entryPoint'>, group: string): SettingsOfSite {
  const { terminalSettings } = entryPoint.definition;
  const ofGroup: TerminalSettingsRule | undefined = Object.entries(terminalSettings?.groups ?? {}).find(
    ([name]) => group !== '' && foldedName(name) === foldedName(group),
  )?.[1];
  return {
    defaults: { ...terminalSettings?.defaults, ...ofGroup?.defaults },
    locked: [...new Set([...(terminalSettings?.locked ?? []), ...(ofGroup?.locked ?? [])])],
  };
}

export function freeSettings(
  settings: Partial<TerminalSettings>,
  locked: readonly SettingName[],
): Partial<TerminalSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !locked.some((one) => one === name)));
}

/**
 * Applies the wanted settings, except locked ones. Stored values of locked settings are kept for pages where they are
 * not locked.
 */
export function changedSettings(
  stored: Partial<TerminalSettings>,
  wanted: Partial<TerminalSettings>,
  locked: readonly SettingName[],
): Partial<TerminalSettings> {
  const kept = locked.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]]));
  return { ...freeSettings(wanted, locked), ...Object.fromEntries(kept) };
}
