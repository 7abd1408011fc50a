import { isObject } from '../../lib/documents/json-checks.js';
import type { Reason } from '../../lib/locale.js';
import {
  type ApplicationKeys,
  colourNames,
  cursorShapes,
  keyMaps,
  LARGEST_FONT,
  languages,
  type OwnColours,
  type OwnKeys,
  type SettingName,
  SMALLEST_FONT,
  settingNames,
  type TerminalSettings,
  themes,
} from './terminal-settings.js';

/** User-defined keys in one map. */
export const MOST_KEYS = 300;
const MOST_APPLICATIONS = 32;
/** All settings as JSON in UTF-8. */
export const MOST_SETTINGS_BYTES = 16_384;
/** Length of an application name. */
const LONGEST_NAME = 64;

const COLOUR = /^#[\da-f]{6}$/i;
/** `Ctrl+Shift+F5`, `ControlRight`, `Alt+C`, `NumpadAdd`: modifiers in this order, then one key. */
const CHORD = /^(?:Ctrl\+)?(?:Alt\+)?(?:Shift\+)?(?:Meta\+)?(?:[A-Za-z]\w{0,31}|[^\s\p{C}])$/u;
const ACTION = /^(?:[A-Za-z][\w.:-]{0,63})?$/;

interface SettingFault {
  readonly name: string;
  readonly reason: Reason;
}

interface ReadSettings {
  readonly settings: Partial<TerminalSettings>;
  readonly faults: readonly SettingFault[];
}

type Check = (value: unknown) => Reason | undefined;

const oneOfReason = (choices: readonly string[]): Reason => ({
  code: 'setting.oneOf',
  values: { choices: choices.join(', ') },
});
const oneOf =
  (choices: readonly string[]): Check =>
  (value) =>
    choices.some((choice) => choice === value) ? undefined : oneOfReason(choices);
const isSwitch: Check = (value) => (typeof value === 'boolean' ? undefined : { code: 'setting.trueOrFalse' });

const checks: Readonly<Record<SettingName, Check>> = {
  theme: oneOf(themes),
  ownColours: checkColours,
  fontSize: (value) =>
    value === 'fit' || (Number.isInteger(value) && Number(value) >= SMALLEST_FONT && Number(value) <= LARGEST_FONT)
      ? undefined
      : { code: 'setting.fontSize', values: { least: SMALLEST_FONT, most: LARGEST_FONT } },
  cursorShape: oneOf(cursorShapes),
  cursorBlink: isSwitch,
  crossHair: isSwitch,
  hotspots: isSwitch,
  wheel: isSwitch,
  keyMap: oneOf(keyMaps),
  keys: checkKeys,
  applicationKeys: checkApplications,
  typeAhead: isSwitch,
  blankFill: isSwitch,
  bell: isSwitch,
  confirmLeave: isSwitch,
  phoneKeys: isSwitch,
  language: oneOf(languages),
};

export function isChord(text: string): boolean {
  return CHORD.test(text);
}

/** Reads untrusted settings from a file, browser storage or request, and keeps the valid ones. */
export function readSettings(value: unknown): ReadSettings {
  if (!isObject(value)) return { settings: {}, faults: [{ name: '', reason: { code: 'setting.object' } }] };
  const settings: Record<string, unknown> = {};
  const faults: SettingFault[] = [];
  for (const [name, one] of Object.entries(value).slice(0, settingNames.length * 2)) {
    const known = settingNames.find((setting) => setting === name);
    const reason: Reason | undefined = known === undefined ? { code: 'setting.unknown' } : checks[known](one);
    if (reason !== undefined) faults.push({ name: name.slice(0, LONGEST_NAME), reason });
    else if (known !== undefined) settings[known] = sound(known, one);
  }
  return { settings: settings as Partial<TerminalSettings>, faults };
}

/** Copies objects, to remove a foreign prototype. */
function sound(name: SettingName, value: unknown): unknown {
  if (name === 'ownColours') {
    const colours = value as OwnColours;
    return Object.fromEntries(colourNames.map((colour) => [colour, colours[colour].toLowerCase()]));
  }
  if (name === 'keys') return { ...(value as OwnKeys) };
  if (name === 'applicationKeys') {
    return Object.fromEntries(
      Object.entries(value as Readonly<Record<string, ApplicationKeys>>).map(([application, { keyMap, keys }]) => [
        application,
        { keyMap, keys: { ...keys } },
      ]),
    );
  }
  return value;
}

function checkColours(value: unknown): Reason | undefined {
  if (!isObject(value)) return { code: 'setting.coloursObject' };
  const isWhole = Object.keys(value).length === colourNames.length;
  const isSound = colourNames.every((name) => {
    const colour = value[name];
    return typeof colour === 'string' && COLOUR.test(colour);
  });
  return isWhole && isSound ? undefined : { code: 'setting.colours', values: { names: colourNames.join(', ') } };
}

function checkKeys(value: unknown): Reason | undefined {
  if (!isObject(value)) return { code: 'setting.keysObject' };
  const entries = Object.entries(value);
  if (entries.length > MOST_KEYS) {
    return { code: 'setting.keys', values: { number: entries.length, most: MOST_KEYS } };
  }
  const faulty = entries.find(
    ([chord, action]) => !isChord(chord) || typeof action !== 'string' || !ACTION.test(action),
  );
  if (faulty === undefined) return undefined;
  const [chord] = faulty;
  return isChord(chord) ? { code: 'setting.action', values: { key: chord } } : { code: 'setting.key' };
}

function checkApplications(value: unknown): Reason | undefined {
  if (!isObject(value)) return { code: 'setting.applicationsObject' };
  const entries = Object.entries(value);
  if (entries.length > MOST_APPLICATIONS) {
    return { code: 'setting.applications', values: { number: entries.length, most: MOST_APPLICATIONS } };
  }
  for (const [name, one] of entries) {
    if (name === '' || name.length > LONGEST_NAME || /\p{C}/u.test(name)) return { code: 'setting.applicationName' };
    if (!isObject(one) || Object.keys(one).length !== 2) {
      return { code: 'setting.applicationMembers', values: { application: name } };
    }
    const problem = oneOf(keyMaps)(one.keyMap) ?? checkKeys(one.keys);
    if (problem !== undefined) return { code: 'setting.application', values: { application: name, problem } };
  }
  return undefined;
}
