import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CodePage } from '../../codepage/code-page.js';
import { findTerminalCodePage } from '../../codepage/terminal-code-page.js';
import { openHostConnection } from '../../host/host-connection.js';
import { type HostProxy, readProxy } from '../../host/host-proxy.js';
import { ActionError } from '../../s3270/action-error.js';
import { listedCodePageName } from '../../s3270/code-page-list.js';
import { readRpq } from '../../s3270/rpq-names.js';
import { ScriptedTerminal, type TerminalKind } from '../../s3270/scripted-terminal.js';
import { shownCommandLine } from '../../s3270/shown-setting.js';
import type { Toggles } from '../../s3270/toggles.js';
import { findTerminalModel } from '../../screen/screen-size.js';
import { machineTools } from './machine-tools.js';
import type { S3270Caller } from './s3270-caller.js';
import type { S3270Options } from './s3270-options.js';
import { s3270Version } from './s3270-version.js';
import { tlsFor, withVerificationWords } from './tls-of-options.js';

const STARTTLS_MILLISECONDS = 30_000;
const DEFAULT_CONNECT_SECONDS = 30;
const LONGEST_CONNECT_SECONDS = 600;

/** What cannot be is left out, as s3270 does, and said. */
export function settleKind(toggles: Toggles): string[] {
  const warnings: string[] = [];
  const model = toggles.get('model');
  const [, kind = '9', number] = /^(?:IBM-)?(?:327([89])-)?([2-5])(?:-E)?$/i.exec(model) ?? [];
  if (number === undefined) warnings.push(`Invalid model number: ${model}`);
  // every model of the command line is extended
  toggles.set('model', number === undefined ? '3279-4-E' : `327${kind}-${number}-E`);
  const codePage = toggles.get('codePage');
  if (findTerminalCodePage(codePage) === undefined) {
    warnings.push(`Warning: Cannot find code page "${codePage}"`);
    toggles.set('codePage', 'bracket');
  }
  const faults = faultsOfOversize(toggles.get('oversize'), toggles.get('model'));
  if (faults.length > 0) toggles.set('oversize', '');
  return [...warnings, ...faults.filter((fault) => fault !== '')];
}

/** Positions that 14 bits tell apart. */
const MOST_POSITIONS = (1 << 14) - 1;

/** What s3270 says of a size; the empty text: it is none, which need not be said. */
function faultsOfOversize(oversize: string, model: string): string[] {
  if (oversize === '') return [];
  const own = findTerminalModel(model);
  const [, columnsText, rowsText] = /^(\d{1,5})x(\d{1,5})$/.exec(oversize) ?? [];
  if (columnsText === undefined || own.kind === 'fault') return [`Warning: Invalid oversize value '${oversize}'`];
  const [columns, rows] = [Number(columnsText), Number(rowsText)];
  if (columns === 0 || rows === 0) return [''];
  const least = own.value.alternateSize;
  const [, number = ''] = /-(\d)/.exec(model) ?? [];
  if (columns < least.columns) {
    return [`Invalid oversize cols (${columns}):`, `Less than model ${number} cols (${least.columns})`];
  }
  if (rows < least.rows) return [`Invalid oversize rows (${rows}):`, `Less than model ${number} rows (${least.rows})`];
  if (rows * columns > MOST_POSITIONS) return [`Invalid oversize ${oversize}:`, 'Exceeds protocol limit'];
  return findTerminalModel(model, oversize).kind === 'fault' ? [`Warning: Invalid oversize value '${oversize}'`] : [];
}

function codePageNamed(name: string): CodePage {
  const codePage = findTerminalCodePage(name);
  if (codePage === undefined) throw new ActionError(`Cannot find definition of host code page "${name}"`);
  return codePage;
}

export function terminalOf({ toggles, addresses }: S3270Options, caller: S3270Caller): ScriptedTerminal {
  const { words, folder, environment, error } = caller;
  // as s3270 has it, where nobody says who the user is
  if (toggles.get('user') === '') toggles.set('user', environment.USER ?? environment.USERNAME ?? 'UNKNOWN');
  if (toggles.get('rpq') === '') toggles.set('rpq', environment.X3270RPQ ?? '');
  for (const fault of readRpq(toggles.get('rpq')).faults) error.write(`${fault}\n`);
  return new ScriptedTerminal({
    toggles,
    tools: machineTools(bytesOf(toggles.get('traceFileSize')), caller),
    commandLine: shownCommandLine(words),
    version: s3270Version(),
    kindOf,
    connect: (host, handler, signal) =>
      openHostConnection(
        {
          address: host,
          ...(host.tls ? { tls: tlsFor(toggles, host, folder) } : {}),
          connectMilliseconds: secondsOf(toggles.get('connectTimeout')) * 1_000,
          signal,
          proxy: proxyOf(toggles),
          family: addresses,
        },
        handler,
      ).catch(withVerificationWords),
    startTls: (host, connection, signal) =>
      connection.startTls(tlsFor(toggles, host, folder), signal, STARTTLS_MILLISECONDS),
  });
}

/** @throws ActionError: a host that is to be reached through a proxy is never reached past it */
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

/** `10000`, `100K`, `10M`. */
function bytesOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,9})([KM]?)$/i.exec(text) ?? [];
  const factors: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_048_576 };
  return digits === undefined ? undefined : Number(digits) * (factors[unit.toUpperCase()] ?? 1);
}

/** @throws ActionError */
function kindOf(toggles: Toggles): TerminalKind {
  const [name, oversize, codePageName] = [toggles.get('model'), toggles.get('oversize'), toggles.get('codePage')];
  const number = /([2-5])(?:-E)?$/i.exec(name)?.[1];
  if (number === undefined || findTerminalModel(name).kind === 'fault') {
    throw new ActionError('model value must be 327{89}-{2345}[-E]');
  }
  const model = findTerminalModel(/^\d$/.test(name) ? `3279-${name}-E` : name, oversize);
  if (model.kind === 'fault') throw new ActionError('oversize value must be <cols>x<rows>');
  return {
    model: { ...model.value, tellsAbsentColours: true, locksWhenQueried: true },
    modelNumber: Number(number),
    codePage: codePageNamed(codePageName),
    codePageName: listedCodePageName(codePageName),
  };
}

/** The cookie of a file; where there is none yet, a new one is written that nobody else may read. @throws Error */
export function cookieOf(name: string, folder: string): string | undefined {
  if (name === '') return undefined;
  const file = resolve(folder, name);
  let text = '';
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (text !== '') return text;
  const cookie = randomBytes(16).toString('hex');
  writeFileSync(file, cookie, { mode: 0o600 });
  return cookie;
}
