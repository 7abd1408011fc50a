interface FocusedTerminal {
  readonly isOver: boolean;
  focus(): void;
}

/**
 * Gives the keyboard back to the terminal after a click of a mouse or a pen beside the screen: on the bar, the margin, a button.
 * Whoever came to a button by the keyboard stays there, and a finger that closes the keyboard of a phone is let alone.
 */
export function keepFocusOnClick(terminal: FocusedTerminal, screen: HTMLElement): void {
  // bars and pads never take the focus, nor close the keyboard of a phone
  document.addEventListener('mousedown', (event) => {
    const { target } = event;
    if (terminal.isOver || !(target instanceof Element) || screen.contains(target)) return;
    if (target.closest('button, summary') !== null && target.closest('dialog') === null) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const { target } = event;
    // a click that a key has made has no count
    if (event.detail === 0 || (event as PointerEvent).pointerType === 'touch' || !(target instanceof Element)) return;
    if (terminal.isOver || screen.contains(target) || target.closest('a, dialog') !== null) return;
    if (document.querySelector('dialog[open]') !== null || getSelection()?.isCollapsed === false) return;
    terminal.focus();
  });
}
