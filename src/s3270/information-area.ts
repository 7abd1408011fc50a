import type { ScreenSnapshot } from './screen-snapshot.js';

export interface ScreenInformation {
  /** B: TN3270E. */
  readonly protocol: 'A' | 'B';
  /** Blank: 3270 application, N: line terminal, S: network services, ?: none. */
  readonly partner: ' ' | 'N' | 'S' | '?';
  readonly words: string;
  readonly isOperatorError: boolean;
  readonly insertMode: boolean;
  readonly isTypedAhead: boolean;
  readonly isScripted: boolean;
  readonly primaryName: string;
}

export type InformationMark = 'plain' | 'bold' | 'alarming' | 'reversed' | 'underlined';

interface InformationCell {
  readonly character: string;
  readonly mark: InformationMark;
}

const WORDS_COLUMN = 7;
/** Columns from the right edge. */
const rightColumns = { typedAhead: 35, insertMode: 33, script: 29, primaryName: 26, cursor: 8 } as const;

/** An underlined blank row and the operator information area (s3270 4.1, verified); empty without information. */
export function informationRows(
  { cursor, columns }: ScreenSnapshot,
  information: ScreenInformation | undefined,
): readonly (readonly InformationCell[])[] {
  if (information === undefined) return [];
  const { protocol, partner, words, isOperatorError, insertMode, isTypedAhead, isScripted, primaryName } = information;
  const row = Array.from({ length: columns }, (): InformationCell => ({ character: ' ', mark: 'plain' }));
  const write = (at: number, text: string, mark: InformationMark = 'plain') => {
    row.splice(at, text.length, ...[...text].map((character) => ({ character, mark })));
  };
  write(0, '4', 'reversed');
  write(1, protocol, 'underlined');
  write(2, partner, 'reversed');
  write(WORDS_COLUMN, words, isOperatorError ? 'alarming' : 'bold');
  if (isTypedAhead) write(columns - rightColumns.typedAhead, 'T');
  if (insertMode) write(columns - rightColumns.insertMode, 'I');
  if (isScripted) write(columns - rightColumns.script, 's');
  write(columns - rightColumns.primaryName, primaryName);
  const place = [Math.floor(cursor / columns) + 1, (cursor % columns) + 1];
  write(columns - rightColumns.cursor, place.map((number) => String(number).padStart(3, '0')).join('/'));
  return [row.map((): InformationCell => ({ character: ' ', mark: 'underlined' })), row];
}
