import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

export type TextOrParameter =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string };

/** Splits e.g. `Account {account}`; `{{` and `}}` are literal braces. */
export function readTextPieces(source: string): ReadOutcome<readonly TextOrParameter[]> {
  const pieces: TextOrParameter[] = [];
  let text = '';
  for (const [part, name] of source.matchAll(/\{\{|\}\}|\{([A-Za-z][A-Za-z0-9_]*)\}|[^{}]+|[{}]/g)) {
    if (name !== undefined) {
      if (text !== '') pieces.push({ kind: 'text', text });
      text = '';
      pieces.push({ kind: 'parameter', name });
    } else if (part === '{{' || part === '}}') text += part[0];
    else if (part === '{' || part === '}') {
      return readFault(`a brace without the name of a parameter: write ${part}${part} for a brace`);
    } else text += part;
  }
  if (text !== '') pieces.push({ kind: 'text', text });
  return readAs(pieces);
}

export function filledIn(pieces: readonly TextOrParameter[], values: ReadonlyMap<string, string>): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : (values.get(piece.name) ?? ''))).join('');
}

/** True if the text has parameters and the caller omitted all of them: the field then keeps its content. */
export function isLeftOut(pieces: readonly TextOrParameter[], values: ReadonlyMap<string, string>): boolean {
  const names = pieces.flatMap((piece) => (piece.kind === 'parameter' ? [piece.name] : []));
  return names.length > 0 && names.every((name) => !values.has(name));
}
