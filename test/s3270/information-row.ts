/**
 * Asks for the screen with the information row below it. Only ours is asked: s3270 4.1 prints memory there that nothing has written, and on some
 * machines it does not answer any more. Each expected row is a literal: what 4.1 prints up to the place of the cursor (2026-11-27).
 */
export const askWithInformation = 'PrintText(string,oia)';

/** The row, with one blank in place of several. */
export function informationIn(answer: string): string {
  const rows = answer.split('\n').filter((line) => line.startsWith('data: '));
  return (rows.at(-1) ?? '').slice('data: '.length).replaceAll(/ +/g, ' ').trim();
}
