import type { DocumentSource } from '../document-source.js';
import type { KeptScreen, PicturedScreen } from '../model/screen-history.js';
import { openDocuments } from './documents-dialog.js';
import { FindBar } from './find-bar.js';
import { openHistory } from './history-dialog.js';
import { printScreens } from './printing.js';
import { saveAsPage, saveAsText } from './saving.js';
import type { ScreenTools } from './screen-port.js';
import { openTransfer, type TransferringTerminal } from './transfer-dialog.js';

let bar: FindBar | undefined;

export const screenDialogs = {
  find(port: ScreenTools): void {
    bar ??= new FindBar(port, (sought) => void openHistory(port, sought));
    bar.open();
  },
  history: (port: ScreenTools): Promise<void> => openHistory(port),
  print: (screen: PicturedScreen, isAsSeen: boolean): void => printScreens([screen], isAsSeen),
  documents: (source: DocumentSource): Promise<void> => openDocuments(source),
  transfer: (terminal: TransferringTerminal, mostBytes: number, file?: File): Promise<void> =>
    openTransfer(terminal, mostBytes, file),
  saveText: (screen: PicturedScreen | KeptScreen): void => saveAsText([screen]),
  savePage: (screen: PicturedScreen | KeptScreen, like: HTMLElement): void => saveAsPage([screen], like),
};

/** Search, history, printing and saving, loaded on first use. */
export type ScreenDialogs = typeof screenDialogs;
