export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
