import { resolve } from 'node:path';
import { findTerminalCodePage } from '../../codepage/terminal-code-page.js';
import { readPemFile } from '../../config/read-pem-file.js';
import type { HostTlsOptions } from '../../host/host-connection.js';
import { didYouMean } from '../../nearest-name.js';
import { type ReadOutcome, readAs, readFault } from '../../read-outcome.js';
import type { ScriptedTerminalOptions } from '../../s3270/scripted-terminal.js';
import { Toggles } from '../../s3270/toggles.js';
import { findTerminalModel } from '../../screen/screen-size.js';

/** What `sallyport s3270` is told on its command line, as s3270 is. */
export interface S3270Options extends Omit<ScriptedTerminalOptions, 'connect' | 'startTls' | 'trace'> {
  /** To connect with at the start. */
  readonly host: string | undefined;
  readonly tls: HostTlsOptions;
  readonly connectSeconds: number;
  readonly traceFile: string | undefined;
}

/** Values of options and resources before they are judged. */
interface Given {
  model: string;
  oversize: string;
  codePage: string;
  user: string;
  port: string;
  connectTimeout: string;
  caFile: string;
  certFile: string;
  keyFile: string;
  traceFile: string;
  traces: boolean;
}

type ValueName = Exclude<keyof Given, 'traces'>;

/** What `-xrm` and `-set` give a value to; with a dash before it, in any case, it is an option. */
const resources: Readonly<Record<string, ValueName>> = {
  model: 'model',
  oversize: 'oversize',
  codePage: 'codePage',
  charset: 'codePage',
  user: 'user',
  port: 'port',
  connectTimeout: 'connectTimeout',
  caFile: 'caFile',
  certFile: 'certFile',
  keyFile: 'keyFile',
  traceFile: 'traceFile',
};
const resourceOptions = Object.keys(resources).map((name) => `-${name.toLowerCase()}`);
/** What they ask for is so without them. */
const needless: ReadonlySet<string> = new Set(['-script', '-utf8']);
const switches: Readonly<Record<string, (given: Given, toggles: Toggles) => void>> = {
  '-noverifycert': (_, toggles) => toggles.set('verifyHostCert', 'false'),
  '-trace': (given) => {
    given.traces = true;
  },
};
const withParameters = ['-accepthostname', '-minversion', '-set', '-xrm'];

/** What s3270 4.6 has and this version does not. */
const notYet: ReadonlySet<string> = new Set([
  ...['-4', '-6', '-cadir', '-callback', '-certfiletype', '-chainfile', '-clientcert', '-cookiefile', '-devname', '-e'],
  ...['-httpd', '-json', '-keyfiletype', '-keypasswd', '-loginmacro', '-nvt', '-once', '-proxy', '-reconnect'],
  ...[
    '-scriptport',
    '-scriptportonce',
    '-socket',
    '-tlsmaxprotocol',
    '-tlsminprotocol',
    '-tn',
    '-tracefilesize',
    '-utenv',
  ],
]);

/** The version of s3270 whose answers ours are like: scripts ask for a least one. */
const LIKE_VERSION = '4.1';
const LONGEST_CONNECT_SECONDS = 600;
const DEFAULT_CONNECT_SECONDS = 30;

/** @returns what is wrong, where something is */
export function readS3270Options(words: readonly string[], folder: string): ReadOutcome<S3270Options> {
  const toggles = new Toggles();
  const given: Given = {
    model: '3279-4-E',
    oversize: '',
    codePage: 'bracket',
    user: '',
    port: '23',
    connectTimeout: '',
    caFile: '',
    certFile: '',
    keyFile: '',
    traceFile: '',
    traces: false,
  };
  let host: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const option = word.toLowerCase();
    if (!word.startsWith('-')) {
      if (host !== undefined) return readFault(`There is a host already: ${word}`);
      host = word;
      continue;
    }
    if (needless.has(option)) continue;
    const turn = switches[option];
    if (turn !== undefined) {
      turn(given, toggles);
      continue;
    }
    const value = resourceNamed(option.slice(1));
    if (value === undefined && !withParameters.includes(option)) {
      if (notYet.has(option)) return readFault(`${word} is an option of s3270 that is not supported here yet`);
      const known = [...resourceOptions, ...Object.keys(switches), ...withParameters, ...needless, ...notYet];
      return readFault(`Unknown option ${word}${didYouMean(option, known)}`);
    }
    const parameter = words[++at];
    if (parameter === undefined) return readFault(`${word} needs a value`);
    if (value !== undefined) {
      given[value] = parameter;
      continue;
    }
    const fault = takeParameter(option, parameter, given, toggles);
    if (fault !== undefined) return readFault(fault);
  }
  return judged(given, toggles, host, folder);
}

/** @returns what is wrong with it */
function takeParameter(option: string, parameter: string, given: Given, toggles: Toggles): string | undefined {
  switch (option) {
    case '-accepthostname':
      return toggles.set('acceptHostname', parameter);
    case '-minversion':
      return isNewer(parameter)
        ? `Version ${parameter} is asked for; the answers are those of ${LIKE_VERSION}`
        : undefined;
    case '-set': {
      const [, name = '', value] = /^([^=]*)(?:=([\s\S]*))?$/.exec(parameter) ?? [];
      return setResource(name, value ?? 'true', given, toggles);
    }
    default: {
      // `s3270.name: value`, `*name: value`
      const [, name, value = ''] = /^(?:[\w-]*[.*])?([\w-]+)\s*:\s*([\s\S]*?)\s*$/.exec(parameter) ?? [];
      if (name === undefined) return `-xrm: expected "s3270.NAME: VALUE", found ${JSON.stringify(parameter)}`;
      return setResource(name, value, given, toggles);
    }
  }
}

function setResource(name: string, value: string, given: Given, toggles: Toggles): string | undefined {
  const toggle = Toggles.nameOf(name);
  if (toggle !== undefined) return toggles.set(toggle, value);
  const target = resourceNamed(name);
  if (target === undefined) {
    return `Unknown or unsupported resource ${name}${didYouMean(name, [...Object.keys(resources), ...Toggles.names])}`;
  }
  given[target] = value;
  return undefined;
}

/** Names are found in any case. */
function resourceNamed(name: string): ValueName | undefined {
  const folded = name.toLowerCase();
  return Object.entries(resources).find(([resource]) => resource.toLowerCase() === folded)?.[1];
}

function isNewer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [ownMajor = 0, ownMinor = 0] = LIKE_VERSION.split('.').map(Number);
  return major > ownMajor || (major === ownMajor && minor > ownMinor);
}

function judged(given: Given, toggles: Toggles, host: string | undefined, folder: string): ReadOutcome<S3270Options> {
  // s3270 calls every model of colours extended
  const name = /-E$/i.test(given.model) ? given.model : `${given.model}-E`;
  const model = findTerminalModel(/^\d-E$/i.test(name) ? name.charAt(0) : name, given.oversize);
  if (model.kind === 'fault') return model;
  const codePage = findTerminalCodePage(given.codePage);
  if (codePage === undefined) return readFault(`There is no code page ${given.codePage}`);
  const port = Number(given.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return readFault(`-port: no port: ${given.port}`);
  const connectSeconds = given.connectTimeout === '' ? DEFAULT_CONNECT_SECONDS : Number(given.connectTimeout);
  if (!(connectSeconds > 0 && connectSeconds <= LONGEST_CONNECT_SECONDS)) {
    return readFault(`-connecttimeout: more than 0 and at most ${LONGEST_CONNECT_SECONDS} seconds`);
  }
  let tls: HostTlsOptions;
  try {
    tls = {
      ...(given.caFile === '' ? {} : { ca: readPemFile(resolve(folder, given.caFile)) }),
      ...(given.certFile === '' ? {} : { cert: readPemFile(resolve(folder, given.certFile)) }),
      ...(given.keyFile === '' ? {} : { key: readPemFile(resolve(folder, given.keyFile)) }),
    };
  } catch (error) {
    return readFault((error as Error).message);
  }
  return readAs({
    host,
    port,
    model: model.value,
    modelNumber: Number(/([2-5])(?:-E)?$/i.exec(name)?.[1] ?? 4),
    codePage,
    codePageName: given.codePage,
    toggles,
    user: given.user,
    tls,
    connectSeconds,
    traceFile: given.traces ? resolve(folder, given.traceFile || `x3trc.${process.pid}`) : undefined,
  });
}
