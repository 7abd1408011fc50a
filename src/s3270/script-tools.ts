import type { HostTrace } from '../tn3270/host/host-trace.js';
import type { ScreenTraceTools } from './screen-trace.js';
import type { PortName } from './toggles.js';

/**
 * Access to files, programs and ports of the machine. Methods reject with errors whose message is displayed to users.
 */
export interface ScriptTools<Terminal> extends ScreenTraceTools {
  readLines(file: string): Promise<readonly string[]>;
  writeFile(file: string, text: string, how: 'append' | 'replace'): Promise<void>;
  readBytes(file: string, mostBytes: number): Promise<Uint8Array>;
  /** Stores a received file. A replaced file is never incomplete. */
  writeBytes(file: string, bytes: Uint8Array, how: 'append' | 'replace'): Promise<void>;
  isThere(file: string): Promise<boolean>;
  isFolder(file: string): Promise<boolean>;
  /** Rejects if the file cannot be written. A missing file is not created. */
  checkWritable(file: string): Promise<void>;
  /** @param words program and its arguments, or one command for the shell. The program may send actions. */
  runProgram(terminal: Terminal, words: readonly string[] | string, input?: string): Promise<ProgramEnd>;
  /** Called for settings with file names; the files are read or written later. */
  checkNamedFile(file: string): void;
  setPort(terminal: Terminal, name: PortName, text: string): Promise<string>;
  tell(text: string): void;
  /** Starts a trace that replaces the file, or is appended to it after the prefix `>>`. */
  traceInto(file: string): HostTrace;
}

export interface ProgramEnd {
  readonly lines: readonly string[];
  readonly failure: string | undefined;
}
