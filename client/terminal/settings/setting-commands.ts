import {
  cursorShapes,
  keyMaps,
  languages,
  type SettingName,
  themes,
} from '../../../src/terminal/settings/terminal-settings.js';
import type { Action } from '../action-registry.js';
import { type WordKey, words } from '../words/words.js';
import type { Settings } from './settings.js';

const switches = [
  'crossHair',
  'cursorBlink',
  'hotspots',
  'wheel',
  'typeAhead',
  'blankFill',
  'bell',
  'confirmLeave',
  'phoneKeys',
] as const;
const choices = { theme: themes, cursorShape: cursorShapes, language: languages } as const;

/** A command for each setting with a fixed set of values. Current values and locked settings are left out. */
export function settingCommands(settings: Settings): readonly Action[] {
  const command = (name: SettingName, value: string, shown: string, run: () => void): Action => ({
    id: `setting:${name}-${value}`,
    label: words('set.to', { name: words(`setting.${name}` as WordKey), value: shown }),
    run,
    isPossible: () => !settings.isLocked(name),
  });
  return [
    ...switches.map((name) => {
      const isOn = settings.get(name);
      return command(name, isOn ? 'off' : 'on', words(isOn ? 'set.off' : 'set.on'), () => settings.set(name, !isOn));
    }),
    ...(['theme', 'cursorShape', 'language'] as const).flatMap((name) =>
      choices[name]
        .filter((value) => value !== settings.get(name))
        .map((value) =>
          command(name, value, words(`setting.${name}.${value}` as WordKey), () => settings.set(name, value)),
        ),
    ),
    ...keyMaps
      .filter((keyMap) => keyMap !== settings.get('keyMap'))
      .map((keyMap) => command('keyMap', keyMap, keyMap, () => settings.set('keyMap', keyMap))),
  ];
}
