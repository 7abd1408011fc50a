import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { HOST_GONE } from '../action-error.js';
import { ownTraceFile } from '../actions/tracing.js';
import { codePageLines } from '../code-page-list.js';
import { hostOfProgram, type NamedHost, readHostName } from '../host-name.js';
import { IdleCommand } from '../idle-command.js';
import { Script } from '../script.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import type { PortName } from '../toggles.js';
import type { S3270Caller } from './s3270-caller.js';
import { readS3270Options, type S3270Options, s3270Version } from './s3270-options.js';
import { answerLines, callBack, readScriptAddress } from './script-port.js';
import { ScriptPorts } from './script-ports.js';
import { cookieOf, settleKind, terminalOf } from './terminal-of-options.js';

export const s3270Help = `
Options, each with one dash: -4, -6, -accepthostname NAME, -alias NAME, -cadir FOLDER, -cafile FILE, -callback [ADDRESS:]PORT,
-certfile FILE, -chainfile FILE, -clear SETTING, -clientcert FILE, -codepage NAME, -connecttimeout SECONDS, -cookiefile FILE,
-devname NAME, -httpd [ADDRESS:]PORT, -keyfile FILE, -keypasswd file:FILE|string:TEXT, -loginmacro ACTIONS, -minversion VERSION,
-model 327{8,9}-{2…5}, -noverifycert, -nvt, -oversize COLUMNSxROWS, -port PORT, -proxy TYPE:HOST[:PORT], -reconnect,
-scriptport [ADDRESS:]PORT, -scriptportonce, -set NAME[=VALUE], -socket, -tlsmaxprotocol NAME, -tlsminprotocol NAME, -tn NAME, -trace,
-tracefile FILE, -tracefilesize BYTES, -user NAME, -utf8, -v, -verifycert, -xrm "s3270.NAME: VALUE". docs/write/s3270.md says more. With --daemon alone it runs the sessions of
all s3270 that this user starts, which then start faster.

Example:
  printf '%s\\n' 'Connect(127.0.0.1:41023)' 'Ascii()' 'Quit' | sallyport s3270 -model 2
`;

export async function runS3270(caller: S3270Caller): Promise<number> {
  const { words, folder, environment, error } = caller;
  const read = readS3270Options(
    words,
    (file) => readFileSync(resolve(folder, file), 'utf8').split(/\r?\n/),
    environment.SHELL,
  );
  if (read.kind === 'fault') {
    error.write(`${read.fault}\n`);
    return 1;
  }
  // both are printed on standard error, as in s3270
  if (read.value === 'help') {
    error.write(
      `Usage: s3270 [options] [[prefix:][LUname@]hostname[:port]]\n       s3270 [options] session-file.s3270\n${s3270Help}`,
    );
    return 0;
  }
  if (read.value === 'version') {
    error.write(`${s3270Version()}\nHost code pages (with aliases):\n${codePageLines.join('\n')}\n`);
    return 0;
  }
  const { warnings, lateWarnings, toggles, isOnce } = read.value;
  for (const warning of [...warnings, ...settleKind(toggles), ...lateWarnings]) error.write(`${warning}\n`);
  const ports = new ScriptPorts({ cookie: () => cookieOf(toggles.get('cookieFile'), folder), isOnce });
  return serve(read.value, terminalOf(read.value, ports, caller), ports, caller);
}

/** As in s3270, nothing is printed if the host disconnects before the first screen. */
function tellFailure(failure: unknown, { error }: S3270Caller): void {
  const { message } = failure as Error;
  if (message !== HOST_GONE && message !== '') error.write(`${message}\n`);
}

async function serve(
  options: S3270Options,
  terminal: ScriptedTerminal,
  ports: ScriptPorts,
  caller: S3270Caller,
): Promise<number> {
  const { toggles, host, program } = options;
  const idle = options.idle === undefined ? undefined : new IdleCommand(terminal, options.idle);
  if (toggles.isOn('trace')) beginTrace(terminal, caller);
  let code = 0;
  const listens = options.httpd !== undefined || options.scriptPort !== undefined || options.hasSocket;
  caller.gone?.addEventListener('abort', () => terminal.quit());
  try {
    await listen(options, terminal, ports, caller);
    if (program !== undefined) await begin(terminal, hostOfProgram(program), caller);
    else if (host !== undefined) await begin(terminal, hostNamed(host, terminal), caller);
    if (options.callback !== undefined) await Promise.race([terminal.over, calledBack(options, terminal)]);
    // wait even if no port could be opened, as s3270 does; the error was printed already
    else if (listens) await terminal.over;
    else await Promise.race([terminal.over, answerLines(new Script(terminal, 's3stdin'), caller)]);
  } catch (error) {
    tellFailure(error, caller);
    code = 1;
  }
  idle?.end();
  terminal.quit();
  await ports.close();
  await terminal.disconnect();
  caller.input.pause();
  return code;
}

function beginTrace(terminal: ScriptedTerminal, { error }: S3270Caller): void {
  try {
    terminal.trace(ownTraceFile(terminal, terminal.tools));
  } catch (failure) {
    error.write(`${(failure as Error).message}\n`);
    terminal.trace(undefined);
  }
}

async function listen(
  { httpd, scriptPort, hasSocket, toggles }: S3270Options,
  terminal: ScriptedTerminal,
  ports: ScriptPorts,
  { error, processId }: S3270Caller,
): Promise<void> {
  const open = async (name: PortName, text: string, fault: string) => {
    const isAddress = readScriptAddress(text) !== undefined;
    if (!isAddress) error.write(`${fault}\n`);
    try {
      toggles.set(name, isAddress ? await ports.set(terminal, name, text) : '');
    } catch (failure) {
      toggles.set(name, '');
      error.write(`${(failure as Error).message}\n`);
    }
  };
  if (httpd !== undefined) await open('httpd', httpd, `Warning: Invalid -httpd port "${httpd}"`);
  if (scriptPort !== undefined) {
    if (hasSocket) error.write('Warning: -scriptport overrides -socket\n');
    await open('scriptPort', scriptPort, `Invalid script port value '${scriptPort}', ignoring`);
  } else if (hasSocket) {
    const path = `/tmp/x3sck.${processId}`;
    // left behind by a process with the same number
    rmSync(path, { force: true });
    await ports.listenOnSocket(terminal, path);
  }
}

async function calledBack({ callback = '' }: S3270Options, terminal: ScriptedTerminal): Promise<void> {
  const address = readScriptAddress(callback);
  if (address === undefined) throw new Error('Error: Cannot parse callback');
  await callBack(terminal, address);
}

function hostNamed(written: string, terminal: ScriptedTerminal): NamedHost {
  const host = readHostName(written, terminal.defaultPort);
  if (host.kind === 'fault') throw new Error(host.fault);
  return host.value;
}

async function begin(terminal: ScriptedTerminal, host: NamedHost, caller: S3270Caller): Promise<void> {
  try {
    await terminal.meet(host);
  } catch (failure) {
    if (!terminal.isReconnecting) throw failure;
    // scripts can run until the terminal has reconnected
    tellFailure(failure, caller);
    return;
  }
  const macro = terminal.options.toggles.get('loginMacro');
  if (macro === '') return;
  const script = new Script(terminal, 'macro');
  const { lines } = await script.answerLine(macro);
  for (const { text, isError } of lines) if (isError) caller.error.write(`${text}\n`);
  script.close();
}
