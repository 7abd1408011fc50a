/** What goes to the clipboard: text, and the same with its form for programs that take it. */
export interface Copied {
  readonly text: string;
  readonly html?: string;
}

/** Gives it to the event of a copy that the user has asked for. */
export function putInto(event: ClipboardEvent, { text, html }: Copied): void {
  event.clipboardData?.setData('text/plain', text);
  if (html !== undefined) event.clipboardData?.setData('text/html', html);
  event.preventDefault();
}

/** @returns false where the browser does not let the page */
export async function writeClipboard(copied: Copied): Promise<boolean> {
  const { text, html } = copied;
  // over http there is no clipboard but that of a copy of the browser's
  if (navigator.clipboard === undefined) return copyByCommand(copied);
  try {
    if (html === undefined || typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(text);
    else {
      const part = (type: string, data: string) => [type, new Blob([data], { type })] as const;
      const parts = Object.fromEntries([part('text/plain', text), part('text/html', html)]);
      await navigator.clipboard.write([new ClipboardItem(parts)]);
    }
    return true;
  } catch {
    return copyByCommand(copied);
  }
}

/** Browsers copy what is selected somewhere; what it is the page says when the event comes. */
function copyByCommand(copied: Copied): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.className = 'announcements';
  box.value = ' ';
  box.readOnly = true;
  document.body.append(box);
  box.select();
  const put = (event: ClipboardEvent) => {
    event.stopImmediatePropagation();
    putInto(event, copied);
  };
  document.addEventListener('copy', put, { capture: true, once: true });
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', put, { capture: true });
  box.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isDone;
}
