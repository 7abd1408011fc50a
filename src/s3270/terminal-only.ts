import { ActionError } from './action-error.js';
import type { ScriptTools } from './script-tools.js';

/** Programs and files of the machine are not for this script. The action that asks for one stands before it. */
export class MachineAccessError extends ActionError {
  constructor() {
    super('Programs and files of this machine need a cookie file (-cookiefile) over HTTP');
  }
}

function refuse(): never {
  throw new MachineAccessError();
}

/**
 * The tools of a script that anybody who reaches a port may send: it acts on the terminal, starts no program, opens no further way in,
 * and neither reads nor writes a file that it names. A trace without a name has a new file of its own.
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
