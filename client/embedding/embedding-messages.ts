/** Messages between an embedding page and the terminal, over a private message port. */

/** First message of the embedding page; it transfers the port. */
export const GREETING = 'sallyport-terminal';

const LONGEST_TEXT = 10_000;

export type EmbeddingRequest =
  | { readonly id: number; readonly does: 'text' }
  | { readonly id: number; readonly does: 'press'; readonly key: string }
  | { readonly id: number; readonly does: 'type'; readonly text: string }
  | { readonly id: number; readonly does: 'fill'; readonly row: number; readonly column: number; readonly text: string }
  | { readonly id: number; readonly does: 'disconnect' };

export type EmbeddingMessage =
  | { readonly event: 'connected' }
  | { readonly event: 'screen'; readonly rows: number; readonly columns: number }
  | { readonly event: 'ended'; readonly reason: string }
  | { readonly answer: number; readonly text?: string }
  | { readonly refusal: number; readonly message: string };

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_TEXT;
const isPlace = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;

export function embeddingRequestOf(value: unknown): EmbeddingRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, does, key, text, row, column } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'number') return undefined;
  if (does === 'text' || does === 'disconnect') return { id, does };
  if (does === 'press' && isText(key)) return { id, does, key };
  if (does === 'type' && isText(text)) return { id, does, text };
  if (does === 'fill' && isText(text) && isPlace(row) && isPlace(column)) return { id, does, row, column, text };
  return undefined;
}
