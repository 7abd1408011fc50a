import type { SettingName, TerminalSettings } from '../../../src/terminal/settings/terminal-settings.js';
import { button, make, openDialog, problemPlace } from '../macros/dialog.js';
import { leavesUnsaved } from '../macros/unsaved.js';
import { words } from '../words/words.js';
import { KeyEditor } from './key-editor.js';
import { differentSettings, settingsInForce } from './own-settings.js';
import {
  choiceField,
  coloursField,
  type SettingField,
  type SettingsDraft,
  sizeField,
  switchField,
} from './setting-fields.js';
import type { Settings } from './settings.js';
import { exportSettings, importedSettings } from './settings-file.js';

/** Beside this script. */
const STYLE_SHEET = 'terminal-settings.css';

interface DrawerPort {
  readonly settings: Settings;
  readonly actions: readonly { readonly id: string; readonly label: string }[];
  readonly application: string;
  readonly hotKeyOwner: (chord: string) => string | undefined;
}

class Draft implements SettingsDraft {
  readonly #settings: Settings;
  readonly kept: Partial<TerminalSettings>;
  own: Partial<TerminalSettings>;
  changed: () => void = () => {};

  constructor(settings: Settings) {
    this.#settings = settings;
    this.kept = settings.kept;
    this.own = settings.own;
  }

  get shown(): TerminalSettings {
    return settingsInForce(this.own, this.#settings.site);
  }

  isLocked(name: SettingName): boolean {
    return this.#settings.isLocked(name);
  }

  change(changes: Partial<TerminalSettings>): void {
    this.become({ ...this.own, ...changes });
  }

  become(own: Partial<TerminalSettings>): void {
    this.own = own;
    this.#settings.preview(own);
    this.changed();
  }
}

async function openSettings({ settings, actions, application, hotKeyOwner }: DrawerPort): Promise<void> {
  await loadStyle();
  const draft = new Draft(settings);
  const fields: SettingField[] = [];
  const part = (title: string, ...own: readonly SettingField[]) => {
    fields.push(...own);
    return make('section', {}, make('h3', {}, title), ...own.map(({ element }) => element));
  };
  const parts = [
    part(
      words('settings.look'),
      choiceField('theme', draft),
      coloursField(draft),
      sizeField(draft),
      choiceField('cursorShape', draft),
      switchField('cursorBlink', draft),
      switchField('crossHair', draft),
    ),
    part(
      words('settings.keyboard'),
      new KeyEditor({ draft, actions, application, hotKeyOwner }),
      switchField('typeAhead', draft),
      switchField('blankFill', draft),
    ),
    part(words('settings.pointer'), switchField('hotspots', draft), switchField('wheel', draft)),
    part(
      words('settings.page'),
      switchField('bell', draft),
      switchField('confirmLeave', draft),
      switchField('phoneKeys', draft),
      choiceField('language', draft),
    ),
  ];
  const show = () => {
    for (const field of fields) field.show();
  };
  draft.changed = show;
  show();
  const problem = problemPlace();
  const told = make('div', { className: 'notice told' });
  told.setAttribute('role', 'status');
  const save = async (close: (answer: true) => void) => {
    const outcome = await settings.keep(draft.own, draft.kept);
    if (outcome.kind === 'kept') close(true);
    else problem.textContent = words('settings.notSaved', { reason: outcome.reason });
  };
  const file = make('input', { type: 'file', hidden: true });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    file.value = '';
    if (chosen !== undefined) void take(chosen);
  });
  const take = async (chosen: File) => {
    const taken = await importedSettings(chosen, draft.own);
    problem.textContent = taken.kind === 'refused' ? taken.reason : '';
    const lines = taken.kind === 'refused' ? [] : taken.lines;
    told.replaceChildren(...lines.map((line) => make('p', {}, line)));
    if (taken.kind === 'taken') draft.become(taken.own);
  };
  const before = draft.own;
  let isCancelled = false;
  // Cancel is clear; Esc may have been meant for something else, such as an open list
  const mayLeave = () =>
    isCancelled || differentSettings(before, draft.own).size === 0 || leavesUnsaved(words('settings.changed'));
  const options = { title: words('action.settings'), className: 'drawer', mayLeave };
  const answer = await openDialog<true>(options, (close, leave) => [
    make('p', { className: 'quiet' }, words(settings.isCentral ? 'settings.onServer' : 'settings.inBrowser')),
    ...parts,
    make(
      'section',
      {},
      make('h3', {}, words('settings.file')),
      make(
        'div',
        { className: 'answers' },
        button(words('settings.export'), () => exportSettings(draft.own)),
        button(words('settings.import'), () => file.click()),
        file,
      ),
      told,
    ),
    make(
      'div',
      { className: 'decision' },
      problem,
      make(
        'div',
        { className: 'answers' },
        button(words('answer.save'), () => void save(close), { className: 'main' }),
        button(words('answer.cancel'), () => {
          isCancelled = true;
          leave();
        }),
        button(words('settings.defaults'), () => draft.become({})),
      ),
    ),
  ]);
  if (answer === undefined) settings.preview(undefined);
}

function loadStyle(): Promise<void> {
  const href = new URL(STYLE_SHEET, import.meta.url).href;
  if (document.querySelector(`link[href="${href}"]`) !== null) return Promise.resolve();
  const link = make('link', { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}

export const tools = { openSettings };

/** The settings dialog, loaded on first use. */
export type SettingsDrawer = typeof tools;
