/** A path of keys from the top of the configuration, for example `['lines', 'C-HTTP', 'listen']`. */
export type KeyPath = readonly string[];

/** Something wrong with the configuration, before it has a place in the file. */
export interface ConfigurationFault {
  readonly path: KeyPath;
  /** Whether the key or its value is at fault. */
  readonly at: 'key' | 'value';
  /** What was found and what was expected; the path is put in front of it. */
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export function errorAt(path: KeyPath, message: string): ConfigurationFault {
  return { path, at: 'value', message, severity: 'error' };
}

export function warningAt(path: KeyPath, message: string): ConfigurationFault {
  return { path, at: 'key', message, severity: 'warning' };
}
