export interface CursorPlace {
  readonly position: number;
  /** Address of its attribute; undefined on an unformatted screen. */
  readonly field: number | undefined;
  readonly start: number;
  readonly isHidden: boolean;
}

/** `typed` is undefined for hidden fields. */
type Action =
  | { readonly did: 'typed'; readonly character: string | undefined }
  | { readonly did: 'pressed'; readonly key: string }
  | { readonly did: 'moved' };

/** An action on the screen, reported when performed. Typed-ahead input is performed later than typed. */
export interface PerformedAction {
  readonly action: Action;
  readonly from: CursorPlace;
  readonly to: CursorPlace;
  /** An operator error: nothing was done, but the cursor may have moved to the invalid field. */
  readonly isRefused: boolean;
  /** The cursor moved to where Tab would move it. */
  readonly goesToNextField: boolean;
}
