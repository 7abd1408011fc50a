/** A log entry as in src/web/console/log-topic.ts. */
export interface LogRow {
  readonly number: number;
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly details: string;
}

export interface LogChanges {
  /** Changes when the server restarts, which restarts the numbering. */
  readonly began: number;
  /** Entries older than these may exist. */
  readonly isCut: boolean;
  /** Newest first. */
  readonly rows: readonly LogRow[];
}

export function newestRows({ rows, isCut }: LogChanges, newest: number): { rows: readonly LogRow[]; isCut: boolean } {
  const unknown = rows.filter(({ number }) => number > newest);
  return { rows: unknown, isCut: isCut && unknown.length === rows.length };
}
