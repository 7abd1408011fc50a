import {
  colourNames,
  cursorShapes,
  LARGEST_FONT,
  languages,
  type SettingName,
  SMALLEST_FONT,
  type TerminalSettings,
  themes,
} from '../../../src/terminal/settings/terminal-settings.js';
import { make } from '../macros/dialog.js';
import { type WordKey, words } from '../words/words.js';

export interface SettingsDraft {
  readonly shown: TerminalSettings;
  isLocked(name: SettingName): boolean;
  change(changes: Partial<TerminalSettings>): void;
}

export interface SettingField {
  readonly element: HTMLElement;
  show(): void;
}

type Switch =
  | 'cursorBlink'
  | 'crossHair'
  | 'hotspots'
  | 'wheel'
  | 'typeAhead'
  | 'blankFill'
  | 'bell'
  | 'confirmLeave'
  | 'phoneKeys';

const DEFAULT_PIXELS = 16;

let fields = 0;

function labelledWith(name: SettingName, draft: SettingsDraft, control: HTMLInputElement | HTMLSelectElement) {
  control.id = `setting-${++fields}`;
  const label = make('label', { htmlFor: control.id }, words(`setting.${name}` as WordKey));
  const reason = lockReason(name, draft);
  if (reason !== undefined) {
    reason.id = `${control.id}-locked`;
    control.disabled = true;
    control.setAttribute('aria-describedby', reason.id);
  }
  return { label, reason };
}

export function lockReason(name: SettingName, draft: SettingsDraft): HTMLElement | undefined {
  return draft.isLocked(name) ? make('p', { className: 'quiet locked' }, words('settings.locked')) : undefined;
}

export function switchField(name: Switch, draft: SettingsDraft): SettingField {
  const box = make('input', { type: 'checkbox' });
  const { label, reason } = labelledWith(name, draft, box);
  box.addEventListener('change', () => draft.change({ [name]: box.checked }));
  return {
    element: make('div', { className: 'setting switch' }, box, label, reason),
    show: () => {
      box.checked = draft.shown[name];
    },
  };
}

const choices = { theme: themes, cursorShape: cursorShapes, language: languages };

export function choiceField(name: keyof typeof choices, draft: SettingsDraft): SettingField {
  const select = make('select', {});
  for (const value of choices[name]) {
    select.append(make('option', { value }, words(`setting.${name}.${value}` as WordKey)));
  }
  const { label, reason } = labelledWith(name, draft, select);
  select.addEventListener('change', () => draft.change({ [name]: select.value }));
  return {
    element: make('div', { className: 'setting' }, label, select, reason),
    show: () => {
      select.value = draft.shown[name];
    },
  };
}

export function sizeField(draft: SettingsDraft): SettingField {
  const fit = make('input', { type: 'checkbox' });
  const { label, reason } = labelledWith('fontSize', draft, fit);
  const pixels = make('input', { type: 'number', min: String(SMALLEST_FONT), max: String(LARGEST_FONT), step: '1' });
  pixels.ariaLabel = words('setting.fontSize.pixels');
  const change = () => {
    const size = Math.round(Number(pixels.value));
    if (size >= SMALLEST_FONT && size <= LARGEST_FONT) draft.change({ fontSize: size });
  };
  fit.addEventListener('change', () => draft.change({ fontSize: fit.checked ? 'fit' : DEFAULT_PIXELS }));
  pixels.addEventListener('input', change);
  return {
    element: make('div', { className: 'setting switch' }, fit, label, pixels, reason),
    show: () => {
      const { fontSize } = draft.shown;
      fit.checked = fontSize === 'fit';
      pixels.disabled = fit.checked || fit.disabled;
      if (fontSize === 'fit') pixels.value = '';
      else if (Number(pixels.value) !== fontSize) pixels.value = String(fontSize);
    },
  };
}

export function coloursField(draft: SettingsDraft): SettingField {
  const group = make('fieldset', { className: 'colours' }, make('legend', {}, words('setting.ownColours')));
  const reason = lockReason('ownColours', draft);
  const pickers = colourNames.map((name) => {
    const picker = make('input', { type: 'color', disabled: reason !== undefined });
    picker.addEventListener('input', () =>
      draft.change({ ownColours: { ...draft.shown.ownColours, [name]: picker.value } }),
    );
    group.append(make('label', {}, picker, words(`setting.colour.${name}` as WordKey)));
    return [name, picker] as const;
  });
  if (reason !== undefined) group.append(reason);
  return {
    element: group,
    show: () => {
      group.hidden = draft.shown.theme !== 'own';
      for (const [name, picker] of pickers) picker.value = draft.shown.ownColours[name];
    },
  };
}
