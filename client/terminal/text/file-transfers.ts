import type { Action } from '../action-registry.js';
import type { ScreenDialogs } from '../screens/screen-dialogs.js';
import type { Terminal } from '../terminal.js';
import { textAction } from './text-actions.js';

type WithTools = (act: (tools: ScreenDialogs) => void) => void;

/** Adds file transfer if the user has permission. A file dropped on the page is sent. */
export function transferTools(terminal: Terminal, withTools: WithTools): Action {
  let mostBytes: number | undefined;
  let isOpen = false;
  const open = (file?: File) => {
    const most = mostBytes;
    if (most === undefined || terminal.isOver) return;
    withTools((tools) => {
      if (isOpen) return;
      isOpen = true;
      void tools.transfer(terminal, most, file).finally(() => {
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
