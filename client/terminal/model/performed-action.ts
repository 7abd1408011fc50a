/** Where the cursor is, for who records what is done. */
export interface CursorPlace {
  readonly position: number;
  /** The address of its attribute; undefined on an unformatted screen. */
  readonly field: number | undefined;
  /** The first position of the field. */
  readonly start: number;
  /** What is typed there is not displayed. */
  readonly isHidden: boolean;
}

/** What was done; `typed` is undefined where what is typed is not displayed. */
type Action =
  | { readonly did: 'typed'; readonly character: string | undefined }
  | { readonly did: 'pressed'; readonly key: string }
  | { readonly did: 'moved' };

/** Something that was done on the screen: told when it is done, which is later than it was typed where it was typed ahead. */
export interface PerformedAction {
  readonly action: Action;
  readonly from: CursorPlace;
  readonly to: CursorPlace;
  /** It was an operator error: nothing was done, but the cursor may have gone to the field that is wrong. */
  readonly isRefused: boolean;
  /** The cursor went where Tab leads to. */
  readonly goesToNextField: boolean;
}
