/** The browser may ask for a file name first. */
const KEPT_MILLISECONDS = 60_000;

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MILLISECONDS);
}
