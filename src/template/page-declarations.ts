import type { ScreenArea } from './screen-area.js';

/** The parameter in which a button made of an area sends the key that it presses: it wins over the key field of the form. */
export const areaKeyField = 'SvcAreaKey';

/** What a click on an area of a generated page does. */
export type AreaAction =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  /** The one who declares it has checked that it leads to http, https or a place of the same site. */
  | { readonly kind: 'link'; readonly url: string };

export interface ClickableArea extends ScreenArea {
  readonly action: AreaAction;
  /** Only while the area shows this text (or, not equal, another), blanks at the end apart. Undefined: always. */
  readonly condition: { readonly text: string; readonly isEqual: boolean } | undefined;
}

export interface Choice {
  /** What the field holds where this is chosen, without blanks at its end. */
  readonly value: string;
  readonly label: string;
}

/** In place of a text input. */
export type FieldControl =
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'binary'; readonly on: string; readonly off: string }
  | { readonly kind: 'hidden' };

/** An input field by a place within it; row and column count from 1. */
export interface DeclaredField {
  readonly row: number;
  readonly column: number;
  readonly control: FieldControl;
}

/** What generated pages make of a screen beside text and inputs. Of areas that overlap the later one counts. */
export interface PageDeclarations {
  readonly areas: readonly ClickableArea[];
  readonly fields: readonly DeclaredField[];
}

/** What may come back of a field that a page has made a list or a check box of. */
export interface OfferedChoice {
  /** Of the field in the form. */
  readonly name: string;
  /** Its choices, and what it held. */
  readonly values: ReadonlySet<string>;
  /** What it holds where it does not come back; undefined: what it held. */
  readonly whenMissing: string | undefined;
}
