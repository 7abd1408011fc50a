const ROWS = 62;
const COLUMNS = 160;

/** A whole screen of 62 × 160 with text, fields and colours everywhere (docs/write/screen-protocol.md). */
export function busyScreen(revision: number): string {
  const texts: [number, string][] = [];
  const fields: number[][] = [];
  const runs: number[][] = [];
  for (let row = 0; row < ROWS; row++) {
    const start = row * COLUMNS;
    fields.push([start, 32, (row % 7) + 1]);
    let text = '';
    while (text.length < COLUMNS - 1) text += `${(revision * 31 + row * 17 + text.length) % 99_999} `;
    texts.push([start + 1, text.slice(0, COLUMNS - 1)]);
    for (let column = 10; column < COLUMNS - 10; column += 20) {
      runs.push([start + column, 8, ((row + column + revision) % 7) + 1, [0, 2, 4][(row + revision) % 3] ?? 0]);
    }
  }
  return JSON.stringify({ k: 's', r: revision, n: ROWS, c: COLUMNS, u: 1, l: 0, t: texts, f: fields, x: runs });
}
