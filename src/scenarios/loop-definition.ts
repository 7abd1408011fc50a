import type { SourcePlace } from './syntax.js';

/** A FOREACH$ and the place of its ENDFOR$. */
export interface LoopDefinition {
  readonly label: string | undefined;
  readonly variable: string;
  readonly place: SourcePlace;
  /** Index of the FOREACH$. */
  readonly start: number;
  /** Index of the ENDFOR$, once it is known. */
  end: number;
}
