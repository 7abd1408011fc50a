/** A trace that was or is being written. */
export interface TraceFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly written: number;
  /** Its first line. */
  readonly head: string;
}

/** A trace that is being written. */
export interface OpenTrace {
  /** @returns false where more waits to be written than may: the trace is to end */
  write(line: string): boolean;
  close(): Promise<void>;
}

/** Where traces are kept, each under a name of letters, digits and `-`. */
export interface TraceFiles {
  begin(name: string): Promise<OpenTrace>;
  /** The newest first. */
  list(): Promise<readonly TraceFile[]>;
  /** Undefined: there is none of that name. */
  read(name: string): Promise<string | undefined>;
  remove(name: string): Promise<boolean>;
}
