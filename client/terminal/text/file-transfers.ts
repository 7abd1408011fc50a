import type { Action } from '../actions.js';
import type { ScreenDesk } from '../screens/screen-dialogs.js';
import type { Terminal } from '../terminal.js';
import { textAction } from './text-actions.js';

type WithDesk = (act: (desk: ScreenDesk) => void) => void;

/** Adds file transfer if the user has permission. A file dropped on the page is sent. */
export function transferTools(terminal: Terminal, withDesk: WithDesk): Action {
  let mostBytes: number | undefined;
  let isOpen = false;
  const open = (file?: File) => {
    const most = mostBytes;
    if (most === undefined || terminal.isOver) return;
    withDesk((desk) => {
      if (isOpen) return;
      isOpen = true;
      void desk.transfer(terminal, most, file).finally(() => {
        isOpen = false;
        terminal.focus();
      });
    });
  };
  terminal.listen({
    files: ({ n }) => {
      mostBytes = n;
    },
  });
  const isOfFiles = ({ dataTransfer }: DragEvent) =>
    mostBytes !== undefined && dataTransfer?.types.includes('Files') === true;
  addEventListener('dragover', (event) => {
    if (isOfFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (event.defaultPrevented || !isOfFiles(event)) return;
    event.preventDefault();
    // with a dialog open, the drop belongs to the dialog
    if (document.querySelector('dialog[open]') === null) open(event.dataTransfer?.files[0]);
  });
  return textAction(
    'transfer',
    () => open(),
    () => mostBytes !== undefined && !terminal.isOver,
  );
}
