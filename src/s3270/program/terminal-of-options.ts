import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { makePrivate, PRIVATE_FILE } from '../../lib/files/private-path.js';
import { soundValue } from '../../lib/read-outcome.js';
import type { CodePage } from '../../tn3270/codepage/code-page.js';
import { findTerminalCodePage } from '../../tn3270/codepage/code-pages.js';
import {
  type HostAddress,
  HostConnection,
  type HostConnectionHandler,
  type LineBytes,
  openHostConnection,
  rawLine,
} from '../../tn3270/host/host-connection.js';
import { HostConnectionError } from '../../tn3270/host/host-connection-error.js';
import { type HostProxy, proxyTypes, readProxy } from '../../tn3270/host/host-proxy.js';
import { findTerminalModel, type ScreenSize } from '../../tn3270/screen/screen-size.js';
import { telnetCommands, telnetOptions } from '../../tn3270/telnet/telnet-codes.js';
import { ActionError } from '../action-error.js';
import { listedCodePageName } from '../code-page-list.js';
import { ScriptedTerminal } from '../scripted-terminal.js';
import type { TerminalKind } from '../terminal-identity.js';
import { shownCommandLine, type Toggles } from '../toggles.js';
import { machineTools } from './machine-tools.js';
import { ToldRpqNames } from './rpq-names.js';
import type { S3270Caller } from './s3270-caller.js';
import { type S3270Options, s3270Version } from './s3270-options.js';
import type { ScriptPorts } from './script-ports.js';
import { lookupWords, systemErrorWords } from './system-error-words.js';
import { tlsFor } from './tls-of-options.js';

const NO_OVERSIZE = '0x0';
/** Limit of 14-bit addresses. */
const MOST_POSITIONS = 0x4000;

/**
 * Checks a size such as `132x50` (columns x rows). The wording of faults is that of s3270 4.1 (verified).
 * @returns `syntax` if the text is not a size
 */
function oversizeFault(text: string, model: string): 'syntax' | readonly string[] | undefined {
  if (text === '' || text === NO_OVERSIZE) return undefined;
  const [, columnsText, rowsText] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  if (columnsText === undefined) return 'syntax';
  const [columns, rows] = [Number(columnsText), Number(rowsText)];
  if (columns === 0 || rows === 0) return [`Invalid oversize ${text}:`, 'Negative or zero'];
  const whole = findTerminalModel(model);
  const least = whole.kind === 'fault' ? { rows: 0, columns: 0 } : whole.value.alternateSize;
  const tooSmall = (what: string, count: number, modelsCount: number) => [
    `Invalid oversize ${what} (${count}):`,
    `Less than model ${model.replace(/-E$/i, '').slice(-1)} ${what} (${modelsCount})`,
  ];
  if (columns * rows < MOST_POSITIONS) {
    if (columns < least.columns) return tooSmall('cols', columns, least.columns);
    if (rows < least.rows) return tooSmall('rows', rows, least.rows);
    if (findTerminalModel(model, text).kind === 'read') return undefined;
  }
  return [`Invalid oversize ${text}:`, 'Exceeds protocol limit'];
}

const STARTTLS_MILLISECONDS = 30_000;
const DEFAULT_CONNECT_SECONDS = 30;
const LONGEST_CONNECT_SECONDS = 600;

/** Replaces invalid values by defaults and returns warnings, as s3270 does. */
export function settleKind(toggles: Toggles): string[] {
  const warnings: string[] = [];
  const model = toggles.get('model');
  // an invalid model number does not change a 3278 to a 3279
  const [, kind = '9'] = /^(?:IBM-)?327([89])/i.exec(model) ?? [];
  const [, number] = /^(?:(?:IBM-)?327[89]-)?([2-5])(?:-E)?$/i.exec(model) ?? [];
  // all models of the command line are extended
  toggles.set('model', `327${kind}-${number ?? '4'}-E`);
  const codePage = toggles.get('codePage');
  if (findTerminalCodePage(codePage) === undefined) {
    warnings.push(`Warning: Cannot find code page "${codePage}"`);
    toggles.set('codePage', 'bracket');
  } else toggles.set('codePage', listedCodePageName(codePage));
  if (number === undefined && !/^(?:327[89])?$/.test(model)) warnings.push(`Invalid model number: ${model}`);
  const oversize = toggles.get('oversize');
  const fault = oversizeFault(oversize, toggles.get('model'));
  if (fault !== undefined) {
    warnings.push(...(fault === 'syntax' ? [`Warning: Invalid oversize value '${oversize}'`] : fault));
    toggles.set('oversize', '');
  }
  return warnings;
}

function codePageNamed(name: string): CodePage {
  const codePage = findTerminalCodePage(name);
  if (codePage === undefined) throw new ActionError(`Cannot find definition of host code page "${name}"`);
  return codePage;
}

export function terminalOf(
  { toggles, addresses, transferDefaults }: S3270Options,
  ports: ScriptPorts,
  caller: S3270Caller,
): ScriptedTerminal {
  const { words, folder, environment, error } = caller;
  // default of s3270
  if (toggles.get('user') === '') toggles.set('user', environment.USER ?? environment.USERNAME ?? 'UNKNOWN');
  if (toggles.get('rpq') === '') toggles.set('rpq', environment.X3270RPQ ?? '');
  const rpq = new ToldRpqNames(toggles, error);
  return new ScriptedTerminal({
    toggles,
    tools: machineTools(
      {
        mostTraceBytes: bytesOf(toggles.get('traceFileSize')),
        ports,
        cookie: () => cookieOf(toggles.get('cookieFile'), folder),
      },
      caller,
    ),
    commandLine: shownCommandLine(words),
    transferDefaults,
    version: s3270Version(),
    applicationId: environment.IBMAPPLID ?? 'None',
    kindOf,
    rpqNames: (ownAddress) => rpq.reply(ownAddress),
    connectionTo: (host, reached) => {
      const { program } = host;
      if (program !== undefined) {
        const size = kindOf(toggles).model.alternateSize;
        return async (handler) => openLocalProgram(program, size, handler, caller);
      }
      const proxy = host.throughGateway ? gatewayOf(environment) : proxyOf(toggles);
      return async (handler, signal) => {
        await rpq.lookUp();
        const tls = host.tls ? { tls: tlsFor(toggles, host, folder) } : {};
        const line = host.speaksTelnet ? undefined : rawLine;
        const connectMilliseconds = secondsOf(toggles.get('connectTimeout')) * 1_000;
        const connecting = isOtherFamily((proxy ?? host).host, addresses)
          ? Promise.reject(new HostConnectionError('unknownHost', host.host, { code: 'EAI_ADDRFAMILY' }))
          : openHostConnection(
              { address: host, ...tls, connectMilliseconds, signal, proxy, family: addresses, line, reached },
              handler,
            );
        return connecting.catch((failure: unknown) => failInWords(failure, host, proxy));
      };
    },
    startTls: (host, connection, signal) =>
      connection
        .startTls(tlsFor(toggles, host, folder), signal, STARTTLS_MILLISECONDS)
        .catch((failure: unknown) => failInWords(failure, host, undefined)),
  });
}

function isOtherFamily(address: string, family: 4 | 6 | undefined): boolean {
  return family !== undefined && isIP(address) !== 0 && isIP(address) !== family;
}

/** The site's passthru service, for hosts with the prefix `P:`. */
function gatewayOf({ INTERNET_HOST = 'internet-gateway' }: NodeJS.ProcessEnv): HostProxy {
  return { type: 'passthru', host: INTERNET_HOST, port: proxyTypes.passthru.port, user: undefined };
}

/** @throws ActionError if the proxy is not valid: connections must not bypass it */
function proxyOf(toggles: Toggles): HostProxy | undefined {
  const text = toggles.get('proxy');
  if (text === '') return undefined;
  const proxy = readProxy(text);
  if (proxy.kind === 'fault') throw new ActionError(proxy.fault);
  return proxy.value;
}

function secondsOf(text: string): number {
  return Math.min(Number(text) || DEFAULT_CONNECT_SECONDS, LONGEST_CONNECT_SECONDS);
}

function bytesOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,9})([KM]?)$/i.exec(text) ?? [];
  const factors: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_048_576 };
  return digits === undefined ? undefined : Number(digits) * (factors[unit.toUpperCase()] ?? 1);
}

function kindOf(toggles: Toggles): TerminalKind {
  const [name, oversize, codePageName] = [toggles.get('model'), toggles.get('oversize'), toggles.get('codePage')];
  const [, number, numberAlone] = /^(?:327[89]-([2-5])(?:-E)?|([2-5]))$/i.exec(name) ?? [];
  const modelNumber = Number(number ?? numberAlone);
  if (Number.isNaN(modelNumber)) throw new ActionError('model value must be 327{89}-{2345}[-E]');
  const fullName = numberAlone === undefined ? name : `3279-${name}-E`;
  const fault = oversizeFault(oversize, fullName);
  if (fault === 'syntax') throw new ActionError('oversize value must be <cols>x<rows>');
  if (fault !== undefined) throw new ActionError(fault.join('\n'));
  const model = findTerminalModel(fullName, oversize === NO_OVERSIZE ? '' : oversize);
  if (model.kind === 'fault') throw new ActionError(model.fault);
  return {
    name: soundValue(findTerminalModel(fullName)).terminalType,
    model: {
      ...model.value,
      tellsAbsentColours: true,
      locksWhenQueried: true,
      awaitsFirstWrite: true,
      servicesAnswerInPlace: true,
      marksInvalidText: true,
    },
    modelNumber,
    codePage: codePageNamed(codePageName),
    codePageName: listedCodePageName(codePageName),
  };
}

/** s3270 4.6 sets this mode, also for existing files. */
const COOKIE_FILE = 0o400;

/** Reads the cookie from a file, or creates one. Other users cannot read the file afterwards. */
export function cookieOf(name: string, folder: string): string | undefined {
  if (name === '') return undefined;
  const file = resolve(folder, name);
  let text = '';
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const cookie = text || randomBytes(16).toString('hex');
  if (text === '') {
    writeFileSync(file, '', { mode: PRIVATE_FILE });
    // an empty file that existed before may be open to others
    makePrivate(file);
    writeFileSync(file, cookie);
  }
  makePrivate(file, COOKIE_FILE);
  return cookie;
}

/** X509_V_ERR numbers of OpenSSL by their names in Node. */
const verificationNumbers: Readonly<Record<string, number>> = {
  CERT_NOT_YET_VALID: 9,
  CERT_HAS_EXPIRED: 10,
  DEPTH_ZERO_SELF_SIGNED_CERT: 18,
  SELF_SIGNED_CERT_IN_CHAIN: 19,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 20,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 21,
  INVALID_PURPOSE: 26,
};

interface Cause {
  readonly code?: string;
  readonly message?: string;
  readonly syscall?: string;
  readonly reason?: string;
  readonly errors?: readonly Cause[];
}

function failInWords(error: unknown, host: HostAddress, proxy: HostProxy | undefined): never {
  if (!(error instanceof HostConnectionError)) throw error;
  throw new HostConnectionError(
    error.kind,
    connectionErrorText(error, proxy ?? host, proxy !== undefined),
    error.cause,
  );
}

function connectionErrorText(
  { kind, message, cause }: HostConnectionError,
  { host, port }: HostAddress,
  isProxy: boolean,
): string {
  // if all addresses of a name failed, report the last one
  const { errors, ...all } = (cause ?? {}) as Cause;
  const { code = '', syscall } = errors?.at(-1) ?? all;
  if (kind === 'unknownHost') return `${host}/${port}:\n${lookupWords(code)}`;
  if (kind === 'timeLimit' && cause === undefined) return 'Host connection timed out';
  if (syscall === 'connect') {
    return `Connect() to ${isProxy ? 'proxy ' : ''}${host}, port ${port}: ${systemErrorWords({ code, message })}`;
  }
  return kind === 'tls' ? `TLS: ${tlsWords((cause ?? {}) as Cause)}` : message;
}

function tlsWords({ code = '', message = '', reason }: Cause): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${UNVERIFIED}\nhostname mismatch (62)\nPossibly use SubjectNames() to list the host cert names`;
  }
  const number = verificationNumbers[code];
  return number === undefined
    ? `SSL_connect failed -1:\n${reason ?? message}`
    : `${UNVERIFIED}\n${message.replace(ADVICE_OF_NODE, '')} (${number})`;
}

const UNVERIFIED = 'Host certificate verification failed:';
/** Node 24.21 appends it to OpenSSL's message. */
const ADVICE_OF_NODE = /; if the root CA .*/;

const IAC = telnetCommands.interpretAsCommand;
/** Negotiation of a host that echoes input, as the pseudo-terminal does. */
const ECHOES = Buffer.of(
  ...[IAC, telnetCommands.will, telnetOptions.echo],
  ...[IAC, telnetCommands.will, telnetOptions.suppressGoAhead],
);
/** Program of util-linux (bsdutils) with a pseudo-terminal, which Node.js does not provide. */
const SCRIPT = 'script';

/**
 * Starts a program on a pseudo-terminal and uses it like a host.
 * @throws ActionError if `script` is not installed
 */
function openLocalProgram(
  words: readonly string[],
  { rows, columns }: ScreenSize,
  handler: HostConnectionHandler,
  { folder, environment }: S3270Caller,
): HostConnection {
  if (!isInPath(SCRIPT, environment)) {
    throw new ActionError(`-e needs the program ${SCRIPT} of util-linux (bsdutils)`);
  }
  // s3270 also passes the words to a shell unquoted
  const settled = `stty rows ${rows} columns ${columns} echo 2>/dev/null; ${words.join(' ')}`;
  // one descriptor for both directions, so that both end together
  const child = spawn('/bin/sh', ['-c', `exec ${SCRIPT} -qfc "$1" /dev/null <&3 >&3 2>&3 3>&-`, 'sh', settled], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const stream = child.stdio[3] as unknown as Duplex;
  child.on('error', (error) => stream.destroy(error));
  stream.once('close', () => child.kill());
  stream.unshift(ECHOES);
  return new HostConnection(stream, handler, { host: words[0] ?? '', port: 0 }, { line: lineBehindEcho() });
}

function lineBehindEcho(): LineBytes {
  let isFirst = true;
  return {
    received: (chunk) => {
      if (!isFirst) return rawLine.received(chunk);
      isFirst = false;
      return Buffer.concat([ECHOES, rawLine.received(chunk.subarray(ECHOES.length))]);
    },
    sent: (bytes) => Buffer.from(Buffer.from(bytes).toString('latin1').replace(telnetOnly, withoutTelnet), 'latin1'),
  };
}

/** Commands, doubled bytes, and the NUL after a carriage return. */
const telnetOnly = /\xff(?:[\xfb-\xfe][\s\S]|[\s\S])|\r\0/g;

function withoutTelnet(found: string): string {
  if (found === '\r\0') return '\r';
  return found === '\xff\xff' ? '\xff' : '';
}

function isInPath(program: string, { PATH = '/usr/bin:/bin' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
