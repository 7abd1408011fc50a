export interface Copied {
  readonly text: string;
  readonly html?: string;
}

export function putInto(event: ClipboardEvent, { text, html }: Copied): void {
  event.clipboardData?.setData('text/plain', text);
  if (html !== undefined) event.clipboardData?.setData('text/html', html);
  event.preventDefault();
}

/** @returns false if the browser denies access */
export async function writeClipboard(copied: Copied): Promise<boolean> {
  const { text, html } = copied;
  // plain HTTP has only the browser's copy command
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

/** Runs the browser's copy command; an event handler supplies the content. */
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
