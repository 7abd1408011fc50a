/** The message of a server error, in the language of the page if available; undefined if there is no message. */
export function toldWords(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { words, message } = error as { readonly words?: unknown; readonly message?: unknown };
  return [words, message].find((text) => typeof text === 'string');
}
