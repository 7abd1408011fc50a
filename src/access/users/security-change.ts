/** What a change has made of a user or a group, for the audit trail; undefined: it was not there. */
export interface SecurityChange {
  readonly before: { readonly name: string } | undefined;
  readonly after: { readonly name: string } | undefined;
}

/** A change with the groups that it brings into being. */
interface RecordedSecurityChange extends SecurityChange {
  readonly newGroups: readonly string[];
}

/** Makes a change, and sees to it that it is put on record; where that cannot be it rejects, and makes none. */
export type RecordSecurityChange = (change: RecordedSecurityChange, make: () => Promise<void>) => Promise<void>;
