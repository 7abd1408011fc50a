/** What an error of the server says, in the language of the page where it has that; undefined: it says nothing. */
export function toldWords(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { words, message } = error as { readonly words?: unknown; readonly message?: unknown };
  return [words, message].find((text) => typeof text === 'string');
}
