/** A line of the log as the server tells it: src/web/console/log-topic.ts. */
export interface LogRow {
  readonly number: number;
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly details: string;
}

export interface LogChanges {
  /** Another one: the server was started anew, and counts anew. */
  readonly began: number;
  /** Before the oldest of these rows there may be others. */
  readonly isCut: boolean;
  /** The newest first. */
  readonly rows: readonly LogRow[];
}

/** Those rows that are not known yet. */
export function newestRows({ rows, isCut }: LogChanges, newest: number): { rows: readonly LogRow[]; isCut: boolean } {
  const unknown = rows.filter(({ number }) => number > newest);
  return { rows: unknown, isCut: isCut && unknown.length === rows.length };
}
