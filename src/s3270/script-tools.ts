import type { HostTrace } from '../tn3270/host/host-trace.js';
import type { ScreenTraceTools } from './screen-trace.js';
import type { PortName } from './toggles.js';

/** Files, programs and ports of the machine, for actions that need them. Each rejects with an error whose message a user can read. */
export interface ScriptTools<Terminal> extends ScreenTraceTools {
  /** The lines of a file of actions. */
  readLines(file: string): Promise<readonly string[]>;
  writeFile(file: string, text: string, how: 'append' | 'replace'): Promise<void>;
  /** A file that is sent, up to a bound. */
  readBytes(file: string, mostBytes: number): Promise<Uint8Array>;
  /** Keeps what was received: all of it, or nothing under this name. */
  writeBytes(file: string, bytes: Uint8Array, how: 'append' | 'replace'): Promise<void>;
  isThere(file: string): Promise<boolean>;
  isFolder(file: string): Promise<boolean>;
  /** Rejects where a file cannot be written; one that is not there is not made. */
  checkWritable(file: string): Promise<void>;
  /** @param words the program and its arguments, or one command for the shell. It may send actions while it runs. */
  runProgram(terminal: Terminal, words: readonly string[] | string, input?: string): Promise<ProgramEnd>;
  /** A setting names a file, which is read or written later. */
  checkNamedFile(file: string): void;
  /** Opens a port in place of the one before. @returns the address, as the setting shows it */
  setPort(terminal: Terminal, name: PortName, text: string): Promise<string>;
  /** To whoever reads what goes wrong. */
  tell(text: string): void;
  /** A trace of the host's bytes, in place of what the file has; behind it where `>>` stands before its name. */
  traceInto(file: string): HostTrace;
}

/** What a program that was started has come to. */
export interface ProgramEnd {
  /** Of both its outputs, in lines. */
  readonly lines: readonly string[];
  /** How it has failed; undefined: it has not. */
  readonly failure: string | undefined;
}
