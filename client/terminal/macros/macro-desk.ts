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

/** What the list leads to on the page. */
interface ListPort {
  readonly isRecording: () => boolean;
  record(): void;
  run(macro: Macro): void;
  /** Step by step. */
  step(macro: Macro): void;
  /** What keys are for otherwise. */
  readonly mapped: FindMappedKey;
}

/** Shows the macros, and changes them as their user wants. @returns when it is closed; true where something else has begun */
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

/** The classes of the other script are not ours. */
function isLocal(store: MacroStore): store is LocalMacroStore {
  return !store.isCentralized;
}

const newPlayer = (...given: ConstructorParameters<typeof MacroPlayer>) => new MacroPlayer(...given);

export const desk = {
  showList,
  keepRecording,
  newPlayer,
  openStepBar,
  askText,
  showOtherScreen,
  openRecordingBar,
};

/** The dialogs and the playing of the macros: a script that is loaded when the first of them is wanted. */
export type MacroDesk = typeof desk;
