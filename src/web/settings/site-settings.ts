import type { TerminalSettingsRule } from '../../entry-point/entry-point.js';
import { foldedName } from '../../security/security-name.js';
import type { SettingName, TerminalSettings } from '../../terminal-settings/terminal-settings.js';
import type { ClientSite } from '../http/client-site.js';

interface SettingsOfSite {
  readonly defaults: Partial<TerminalSettings>;
  readonly locked: readonly SettingName[];
}

/** What administrators have decided for a page: of the entry point, and over it of the group of the user. */
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
