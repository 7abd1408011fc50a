import type { Action } from '../action-registry.js';
import { type WordKey, words } from '../words/words.js';

export const textActionWords = {
  selectAll: 'select.all',
  selectLeft: 'select.left',
  selectRight: 'select.right',
  selectUp: 'select.up',
  selectDown: 'select.down',
  copy: 'copy.selection',
  copyAppend: 'copy.append',
  copyTable: 'copy.table',
  copyField: 'copy.field',
  copyScreen: 'copy.screen',
  paste: 'paste',
  pasteRest: 'paste.rest',
  undoPaste: 'paste.undo',
  followLabel: 'hotspot.follow',
  find: 'find',
  history: 'history',
  print: 'print',
  printAsSeen: 'print.asSeen',
  documents: 'documents',
  transfer: 'transfer',
  saveText: 'save.text',
  saveHtml: 'save.html',
} as const satisfies Readonly<Record<string, WordKey>>;

type TextActionId = keyof typeof textActionWords;

export function textAction(id: TextActionId, run: () => void, isPossible?: () => boolean): Action {
  return { id, label: words(textActionWords[id]), run, ...(isPossible && { isPossible }) };
}
