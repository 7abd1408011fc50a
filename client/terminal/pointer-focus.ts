interface FocusedTerminal {
  readonly isOver: boolean;
  focus(): void;
}

/** Only after a mouse or pen click: focus moved by keyboard stays, and touch may close the on-screen keyboard. */
export function keepFocusOnClick(terminal: FocusedTerminal, screen: HTMLElement): void {
  // bars and the keypad never take the focus nor close an on-screen keyboard
  document.addEventListener('mousedown', (event) => {
    const { target } = event;
    if (terminal.isOver || !(target instanceof Element) || screen.contains(target)) return;
    if (target.closest('button, summary') !== null && target.closest('dialog') === null) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const { target } = event;
    // a click caused by a key has detail 0
    if (event.detail === 0 || (event as PointerEvent).pointerType === 'touch' || !(target instanceof Element)) return;
    if (terminal.isOver || screen.contains(target) || target.closest('a, dialog') !== null) return;
    if (document.querySelector('dialog[open]') !== null || getSelection()?.isCollapsed === false) return;
    terminal.focus();
  });
}
