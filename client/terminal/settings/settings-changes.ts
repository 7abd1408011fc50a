import { readSettings } from '../../../src/terminal/settings/read-settings.js';
import {
  type SettingName,
  settingNames,
  type TerminalSettings,
} from '../../../src/terminal/settings/terminal-settings.js';

type Own = Partial<TerminalSettings>;
type Entries = Readonly<Record<string, unknown>>;

/** Change of a setting or of one of its entries; without a value it was removed. */
export interface SettingChange {
  readonly name: SettingName;
  readonly entry?: string;
  readonly value?: unknown;
}

/** Settings whose entries change independently, so that other entries keep the values of other browsers. */
const withEntries: readonly SettingName[] = ['keys', 'applicationKeys'];

export function changesBetween(before: Own, after: Own): readonly SettingChange[] {
  return settingNames.flatMap((name): readonly SettingChange[] => {
    const [old, now] = [before[name], after[name]];
    if (areSame(old, now)) return [];
    if (!withEntries.includes(name) || old === undefined || now === undefined) return [{ name, value: now }];
    const [oldEntries, entries] = [old as Entries, now as Entries];
    return [...new Set([...Object.keys(oldEntries), ...Object.keys(entries)])]
      .filter((entry) => !areSame(oldEntries[entry], entries[entry]))
      .map((entry) => ({ name, entry, value: entries[entry] }));
  });
}

export function withChanges(own: Own, changes: readonly SettingChange[]): Own {
  const changed = new Map<string, unknown>(Object.entries(own));
  for (const { name, entry, value } of changes) {
    put(changed, name, entry === undefined ? value : changedEntries(changed.get(name), entry, value));
  }
  return Object.fromEntries(changed) as Own;
}

/** Valid changes of a stored text. */
export function changesOfText(text: string): readonly SettingChange[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isSound) : [];
  } catch {
    return [];
  }
}

function isSound(change: unknown): change is SettingChange {
  if (typeof change !== 'object' || change === null) return false;
  const { name, entry, value } = change as Entries;
  if (!settingNames.some((one) => one === name)) return false;
  if (entry !== undefined && typeof entry !== 'string') return false;
  const whole = entry === undefined || value === undefined ? value : { [entry]: value };
  return whole === undefined || readSettings({ [String(name)]: whole }).faults.length === 0;
}

function changedEntries(entries: unknown, entry: string, value: unknown): Entries {
  const changed = new Map(Object.entries((entries ?? {}) as Entries));
  put(changed, entry, value);
  return Object.fromEntries(changed);
}

function put(values: Map<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) values.delete(name);
  else values.set(name, value);
}

function areSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
