import type { Macro } from '../../../src/macros/macro-set.js';
import type { LocalMacroStore } from './local-macro-store.js';
import {
  changeIdentity,
  changeSteps,
  exportMacros,
  importMacros,
  keepRecording,
  publishMacro,
  removeMacro,
  saveCopy,
} from './macro-actions.js';
import { askText, showOtherScreen } from './macro-dialogs.js';
import { editMacro } from './macro-editor.js';
import { type ListActions, showMacroList } from './macro-list.js';
import type { MacroStore } from './macro-store.js';
import type { FindMappedKey } from './model/hot-keys.js';
import { MacroPlayer } from './model/macro-player.js';
import { openRecordingBar } from './recording-bar.js';
import { openStepBar } from './step-bar.js';

interface ListPort {
  readonly isRecording: () => boolean;
  record(): void;
  run(macro: Macro): void;
  step(macro: Macro): void;
  readonly mapped: FindMappedKey;
}

/** @returns when the list is closed; true if a macro or a recording has started */
function showList(store: MacroStore, port: ListPort): Promise<boolean> {
  let notice = '';
  const say = (text: string | undefined) => {
    notice = text ?? '';
    store.changed();
  };
  const local = isLocal(store) ? store : undefined;
  const actions: ListActions = {
    ...port,
    edit: (macro) => changeSteps(store, macro),
    view: (macro) => editMacro(macro, undefined),
    rename: (macro) => changeIdentity(store, macro, port.mapped),
    saveAs: (macro) => saveCopy(store, macro, port.mapped),
    remove: async (macro) => say(await removeMacro(store, macro)),
    publish: async (macro) => {
      if (store.publishing !== undefined) say(await publishMacro(store.publishing, macro));
    },
    notice: () => notice || store.notice,
    importFile: local && (async (file) => say(await importMacros(local, file))),
    exportFile: local && (() => exportMacros(local)),
  };
  return showMacroList(store, actions);
}

/** `instanceof` fails: the other script has its own copies of the classes */
function isLocal(store: MacroStore): store is LocalMacroStore {
  return !store.isCentralized;
}

const newPlayer = (...given: ConstructorParameters<typeof MacroPlayer>) => new MacroPlayer(...given);

export const tools = {
  showList,
  keepRecording,
  newPlayer,
  openStepBar,
  askText,
  showOtherScreen,
  openRecordingBar,
};

/** Dialogs and player of macros, loaded on first use. */
export type MacroTools = typeof tools;
