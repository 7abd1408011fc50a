type Presence = 'none' | 'optional' | 'required';

/** What may stand in a tag: `{{{NAME (p1,p2) "string" text}}}`. */
export interface TagShape {
  readonly parameters: Presence;
  readonly string: Presence;
  /** Strings it may have at most; 1 where not said. */
  readonly mostStrings?: number;
  /** Page text stands inside the tag, up to its end delimiter. */
  readonly holdsText?: true;
}

/** One tag as it stands in a template. */
export interface TagInvocation {
  readonly name: string;
  /** What stands between the parentheses, blanks around each taken off; undefined without parentheses. */
  readonly parameters: readonly string[] | undefined;
  /** The quoted strings, doubled quotes made single. */
  readonly strings: readonly string[];
  /** Of the start delimiter, in UTF-16 units from 0. */
  readonly offset: number;
}
