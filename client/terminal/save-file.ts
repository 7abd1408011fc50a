/** For as long a browser may ask where the file is to go. */
const KEPT_MILLISECONDS = 60_000;

/** Has the browser save a file as one that was downloaded. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MILLISECONDS);
}
