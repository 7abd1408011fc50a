import { appendFileSync, closeSync, openSync } from 'node:fs';
import { appendFile, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makePrivateFile } from '../../lib/files/private-path.js';
import { HostTrace } from '../../tn3270/host/host-trace.js';
import { ActionError } from '../action-error.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { runProgram } from './child-program.js';
import type { S3270Caller } from './s3270-caller.js';
import type { ScriptPorts } from './script-ports.js';
import { systemErrorWords } from './system-error-words.js';
import { checkReceivingFile, isFileThere, readTransferredFile, writeTransferredFile } from './transferred-file.js';

const MOST_FILE_BYTES = 1 << 20;

interface MachineOptions {
  readonly mostTraceBytes: number | undefined;
  readonly ports: ScriptPorts;
  /** That those have to say who come to a port, where one is asked for. */
  readonly cookie: () => string | undefined;
}

/** The files and programs of this machine, with the rights of whoever started the terminal. */
export function machineTools(
  { mostTraceBytes, ports, cookie }: MachineOptions,
  caller: S3270Caller,
): ScriptTools<ScriptedTerminal> {
  const inFolder = (file: string) => resolve(caller.folder, file);
  return {
    readLines: async (file) => {
      // the folder itself is no file
      if (file === '') throw new ActionError(': No such file or directory');
      try {
        if ((await stat(inFolder(file))).size > MOST_FILE_BYTES)
          throw new ActionError(`${file}: more than ${MOST_FILE_BYTES} bytes`);
        return (await readFile(inFolder(file), 'utf8')).split(/\r?\n/);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new ActionError(`Source(${file}) read error`);
        throw fileError(file, error);
      }
    },
    writeFile: async (file, text, how) => {
      try {
        await (how === 'append' ? appendFile : writeFile)(inFolder(file), text, { mode: 0o600 });
      } catch (error) {
        throw fileError(file, error);
      }
    },
    readBytes: async (file, mostBytes) => {
      try {
        return await readTransferredFile(inFolder(file), mostBytes);
      } catch (error) {
        throw new ActionError(`Local file ${fileError(`'${file}'`, error).message}`);
      }
    },
    writeBytes: async (file, bytes, how) => {
      try {
        await writeTransferredFile(inFolder(file), bytes, how);
      } catch (error) {
        throw new ActionError(`Local file ${fileError(`'${file}'`, error).message}`);
      }
    },
    isThere: (file) => isFileThere(inFolder(file)),
    isFolder: async (file) =>
      stat(inFolder(file)).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    checkWritable: async (file) => {
      try {
        // a slash at its end is a folder's
        if (file.endsWith('/')) throw Object.assign(new Error(), { code: 'EISDIR' });
        await checkReceivingFile(inFolder(file));
        const isThere = await isFileThere(inFolder(file));
        await (await open(inFolder(file), 'a', 0o600)).close();
        if (!isThere) await rm(inFolder(file));
      } catch (error) {
        throw new ActionError(`Local file ${fileError(`'${file}'`, error).message}`);
      }
    },
    runProgram: (terminal, words, input) => runProgram(terminal, { words, input, cookie: cookie() }, caller),
    checkNamedFile: () => undefined,
    setPort: (terminal, name, text) => ports.set(terminal, name, text),
    tell: (text) => caller.error.write(text),
    userAndHost: `${caller.environment.USER || '(unknown)'} @ ${hostname()}`,
    textInto: (file, text) => {
      try {
        appendFileSync(inFolder(file), text, { mode: 0o600 });
      } catch (error) {
        throw fileError(file, error);
      }
      return appenderTo(inFolder(file));
    },
    traceInto: (written) => {
      const [, behind, file = ''] = /^(>>)?([\s\S]*)$/.exec(written) ?? [];
      if (file === '' || file === 'none') throw new ActionError('Must specify a trace file name');
      try {
        closeSync(openSync(inFolder(file), behind === undefined ? 'w' : 'a', 0o600));
      } catch (error) {
        throw fileError(file, error);
      }
      const append = appenderTo(inFolder(file));
      return new HostTrace({ write: (line) => append(`${line}\n`) }, mostTraceBytes);
    },
    temporaryFile: (name, kind) => {
      const start = join(tmpdir(), `${name}.${caller.processId}`);
      const end = kind === undefined ? '' : `.${kind}`;
      for (let count = 0; ; count++) {
        const file = `${start}${count === 0 ? '' : `-${count}`}${end}`;
        try {
          // the folder is everybody's: a name that is taken, also by a link, is left alone
          makePrivateFile(file);
          return file;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(file, error);
        }
      }
    },
  };
}

/** A full disk ends the trace, and not the session. */
function appenderTo(file: string): (text: string) => void {
  let isBroken = false;
  return (text) => {
    if (isBroken) return;
    try {
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      isBroken = true;
    }
  };
}

function fileError(file: string, error: unknown): ActionError {
  if (error instanceof ActionError) return error;
  return new ActionError(`${file}: ${systemErrorWords(error)}`);
}
