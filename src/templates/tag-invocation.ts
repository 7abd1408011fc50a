type Presence = 'none' | 'optional' | 'required';

/** The possible parts of a tag: `{{{NAME (p1,p2) "string" text}}}`. */
export interface TagShape {
  readonly parameters: Presence;
  readonly string: Presence;
  /** Maximum number of strings; default 1. */
  readonly mostStrings?: number;
  /** The tag contains page text up to its end delimiter. */
  readonly holdsText?: true;
}

/** A tag as written in a template. */
export interface TagInvocation {
  readonly name: string;
  /** The parameters in parentheses, without surrounding blanks; undefined without parentheses. */
  readonly parameters: readonly string[] | undefined;
  /** The quoted strings, with doubled quotes reduced to one. */
  readonly strings: readonly string[];
  /** Of the start delimiter, in UTF-16 units from 0. */
  readonly offset: number;
}
