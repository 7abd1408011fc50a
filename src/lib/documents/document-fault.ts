/** A path of keys from the top of a document, for example `['lines', 'C-HTTP', 'listen']`. */
export type KeyPath = readonly string[];

/** Something wrong with a document that people write, before it has a place in the file. */
export interface DocumentFault {
  readonly path: KeyPath;
  /** Whether the key or its value is at fault. */
  readonly at: 'key' | 'value';
  /** What was found and what was expected, preceded by the path. */
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export function errorAt(path: KeyPath, message: string): DocumentFault {
  return { path, at: 'value', message, severity: 'error' };
}

export function warningAt(path: KeyPath, message: string): DocumentFault {
  return { path, at: 'key', message, severity: 'warning' };
}
