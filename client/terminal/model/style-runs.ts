import type { CharacterStyle, PresentationBuffer } from './presentation-buffer.js';

export interface StyleRun extends CharacterStyle {
  readonly address: number;
  readonly length: number;
}

/** A field attribute ends a run. */
export function styleRuns({ styles, fieldAttributes, positions }: PresentationBuffer): StyleRun[] {
  const runs: StyleRun[] = [];
  for (let at = 0; at < positions; at++) {
    const style = fieldAttributes[at] === 0 ? styles[at] : undefined;
    if (style === undefined) continue;
    const address = at;
    while (at + 1 < positions && fieldAttributes[at + 1] === 0 && isSame(style, styles[at + 1])) at++;
    runs.push({ address, length: at + 1 - address, ...style });
  }
  return runs;
}

function isSame(one: CharacterStyle, other: CharacterStyle | undefined): boolean {
  return (
    other !== undefined &&
    one.colour === other.colour &&
    one.highlighting === other.highlighting &&
    one.background === other.background
  );
}
