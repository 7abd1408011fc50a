import { ActionError } from './action-error.js';
import type { ScriptTools } from './script-tools.js';

/** This script has no access to programs and files. The name of the action is added to the message. */
export class MachineAccessError extends ActionError {
  constructor() {
    super('Programs and files of this machine need a cookie file (-cookiefile) over HTTP');
  }
}

function refuse(): never {
  throw new MachineAccessError();
}

/**
 * Tools for scripts from any client of a port: they can use the terminal, but cannot start programs, open script ports,
 * or access files by name. A trace without a name gets a new file.
 */
export function terminalOnly<Terminal>(tools: ScriptTools<Terminal>): ScriptTools<Terminal> {
  const given = new Set<string>();
  const own = (file: string) => (given.has(file) ? file : refuse());
  return {
    ...tools,
    readLines: refuse,
    writeFile: refuse,
    readBytes: refuse,
    writeBytes: refuse,
    isThere: refuse,
    isFolder: refuse,
    checkWritable: refuse,
    runProgram: refuse,
    setPort: (terminal, name, text) =>
      name === 'scriptPort' && text !== '' ? refuse() : tools.setPort(terminal, name, text),
    checkNamedFile: refuse,
    traceInto: (file) => tools.traceInto(own(file)),
    textInto: (file, text) => tools.textInto(own(file), text),
    temporaryFile: (name, kind) => {
      const file = tools.temporaryFile(name, kind);
      given.add(file);
      return file;
    },
  };
}
