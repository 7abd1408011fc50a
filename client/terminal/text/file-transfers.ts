import type { Action } from '../actions.js';
import type { ScreenDesk } from '../screens/screen-desk.js';
import type { Terminal } from '../terminal.js';
import { textAction } from './text-actions.js';

/** Opens what transfers files. */
type WithDesk = (act: (desk: ScreenDesk) => void) => void;

/** Offers to transfer files where the user may; a file that is dropped on the page is one to send. */
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
    // over another dialog it is meant for that one, or for nothing
    if (document.querySelector('dialog[open]') === null) open(event.dataTransfer?.files[0]);
  });
  return textAction(
    'transfer',
    () => open(),
    () => mostBytes !== undefined && !terminal.isOver,
  );
}
