import { DEFAULT_SIZE, type ScreenSize } from '../tn3270/screen/screen-size.js';

const written = ({ rows, columns }: ScreenSize) => `${rows}x${columns}`;

/**
 * Judges a size that a BIND names: it has at least the rows and columns of model 2, and at most those of the terminal. What is wrong is
 * told in the words of s3270 4.1 (tried).
 */
export function boundSizeJudge(most: ScreenSize, tell: (fault: string) => void) {
  return (size: ScreenSize, use: 'default' | 'alternate'): boolean => {
    const isTooLarge = size.rows > most.rows || size.columns > most.columns;
    const isTooSmall = size.rows < DEFAULT_SIZE.rows || size.columns < DEFAULT_SIZE.columns;
    if (!isTooLarge && !isTooSmall) return true;
    const bound = isTooLarge ? `> Maximum ${written(most)}` : `< Minimum ${written(DEFAULT_SIZE)}`;
    const name = use === 'default' ? 'Default' : 'Alternate';
    tell(`Ignoring invalid BIND image screen size parameters:\n BIND ${name} Rows-Cols ${written(size)} ${bound}\n`);
    return false;
  };
}
