import { installedVersion } from '../../config/installation.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { didYouMean } from '../../lib/text/nearest-name.js';
import { faultOfActions, type IdleActions } from '../idle-command.js';
import { readTruth, type ToggleName, Toggles } from '../toggles.js';
import type { TransferWords } from '../transfer-keywords.js';
import { PROGRAM, readResource, resourceInteger, TransferResources } from './resource.js';
import { systemErrorWords } from './system-error-words.js';

const units: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000 };
/** 12 days; the limit of timers is twice as long. */
const LONGEST_MILLISECONDS = 2 ** 30;
const DEFAULT_TIMEOUT = '~7m';

class IdleResources {
  isEnabled = false;
  readonly #texts = { idleCommand: '', idleTimeout: DEFAULT_TIMEOUT };

  take(name: string, value: string): boolean {
    if (name !== 'idleCommand' && name !== 'idleTimeout') return false;
    this.#texts[name] = value;
    return true;
  }

  settle(): { readonly idle: IdleActions | undefined; readonly warnings: readonly string[] } {
    if (!this.isEnabled) return { idle: undefined, warnings: [] };
    const { idleCommand: actions, idleTimeout: timeout } = this.#texts;
    const warnings: string[] = [];
    const fault = faultOfActions(actions);
    if (fault !== undefined) warnings.push('Invalid idleCommand:', fault);
    const [, varies = '', number = '0', unit = ''] = /^(~?)(\d+)([hms]?)$/i.exec(timeout || DEFAULT_TIMEOUT) ?? [];
    const milliseconds = Math.min(Number(number) * (units[unit.toLowerCase()] ?? 0), LONGEST_MILLISECONDS);
    if (milliseconds === 0) warnings.push(`Invalid idle timeout value '${timeout}'`);
    const isNone = warnings.length > 0 || actions.trim() === '';
    return {
      idle: isNone ? undefined : { actions, milliseconds, varies: varies !== '' },
      warnings,
    };
  }
}

export interface S3270Options {
  readonly toggles: Toggles;
  readonly host: string | undefined;
  readonly program: readonly string[] | undefined;
  readonly httpd: string | undefined;
  readonly scriptPort: string | undefined;
  readonly hasSocket: boolean;
  readonly callback: string | undefined;
  readonly transferDefaults: TransferWords;
  readonly idle: IdleActions | undefined;
  readonly isOnce: boolean;
  readonly addresses: 4 | 6 | undefined;
  /** Printed on standard error; the terminal starts regardless. */
  readonly warnings: readonly string[];
  /** Printed after the warnings about the terminal model. */
  readonly lateWarnings: readonly string[];
}

type Print = 'help' | 'version';

const otherNames: ReadonlyMap<string, ToggleName> = new Map([
  ['charset', 'codePage'],
  ['tn', 'termName'],
]);
const valueSettings: readonly ToggleName[] = [
  ...([
    'acceptHostname',
    'caDir',
    'caFile',
    'certFile',
    'certFileType',
    'chainFile',
    'codePage',
    'connectTimeout',
  ] as const),
  ...(['cookieFile', 'devName', 'hostsFile', 'httpd', 'keyFile', 'keyFileType', 'keyPasswd', 'loginMacro'] as const),
  ...(['model', 'oversize', 'port', 'proxy', 'scriptPort', 'tlsMaxProtocol', 'tlsMinProtocol', 'traceFile'] as const),
  ...(['traceFileSize', 'user'] as const),
];
const switches: Readonly<Record<string, readonly [ToggleName, string]>> = {
  '-noverifycert': ['verifyHostCert', 'false'],
  '-nvt': ['nvt', 'true'],
  '-reconnect': ['reconnect', 'true'],
  '-trace': ['trace', 'true'],
  '-verifycert': ['verifyHostCert', 'true'],
};
/** Ignored options: they request the default, or have no effect without a window. */
const needless: ReadonlySet<string> = new Set(['-script', '-utf8', '-json', '-utenv', '-nowrap']);
/** Ignored resources of s3270: for windows, consoles and keys of line terminals. */
const needlessResources: ReadonlySet<string> = new Set(
  (
    'alias confDir console dbcsCgcsgid eof erase intr kill lnext macros printTextScreensPerPage quit rprnt ' +
    'sbcsCgcsgid screenTraceFile screenTraceTarget screenTraceType suppressActions traceDir werase'
  ).split(' '),
);
const needlessSwitches: ReadonlySet<string> = new Set(
  'bindLimit bindUnlock bsdTm icrnl inlcr modifiedSel onlcr qrBgColor secure traceMonitor'.split(' '),
);
/** Ignored without a message if they are the last word. */
const setters: ReadonlySet<string> = new Set(['-clear', '-set']);
const withValue = ['-alias', '-callback', '-clear', '-clientcert', '-minversion', '-set', '-xrm'];
const alone = ['-4', '-6', '-e', '-once', '-scriptportonce', '-socket'];
const usage = 'Usage: s3270 [options] [prefix:][LUname@]hostname[:port]\nUse --help for the list of options';
/** Answered even if the rest of the command line is not valid. */
const prints: ReadonlyMap<string, Print> = new Map([
  ['-?', 'help'],
  ['--help', 'help'],
  ['-v', 'version'],
  ['--version', 'version'],
]);

type SetNow = readonly [setting: ToggleName, value: string];

class CommandLine {
  readonly toggles = new Toggles();
  readonly transfers = new TransferResources();
  readonly idle = new IdleResources();
  readonly warnings: string[] = [];
  host: string | undefined;
  program: readonly string[] | undefined;
  callback: string | undefined;
  isOnce = false;
  /** Settings that were given a value, including an empty one. */
  readonly given = new Set<ToggleName>();
  hasSocket = false;
  addresses: 4 | 6 | undefined;
  /** Additional name of the program in the resources that follow. */
  alias = PROGRAM;
  resourceHost: string | undefined;
  /** Values of `-set` and `-clear`, which override all others. */
  #set: SetNow[] = [];
  #minVersion: string | undefined;

  constructor(
    readonly readFile: (file: string) => readonly string[],
    readonly shell: string,
  ) {}

  take(words: readonly string[]): string | undefined {
    const fault = this.#takeOptions(words) ?? this.#checkVersion();
    for (const [setting, value] of this.#set) this.#take(setting, value);
    return fault;
  }

  #takeOptions(words: readonly string[]): string | undefined {
    const read = this.#readWords(words);
    if (read.kind === 'fault') return read.fault;
    const others = read.value;
    const unknown = others.find((word) => word.startsWith('-'));
    const isTwice = this.program !== undefined && unknown === undefined && others.length > 0;
    if (others.length > 2 || isTwice) return `Too many command-line arguments\n${usage}`;
    if (unknown !== undefined) return `Unknown or incomplete option: ${unknown}${nearOption(unknown)}\n${usage}`;
    const [name, port] = others;
    if (name === undefined || port !== undefined || !isSessionFile(name, this.alias)) {
      this.host = port === undefined ? name : `${name}:${port}`;
      return undefined;
    }
    let lines: readonly string[];
    try {
      lines = this.readFile(name);
    } catch (error) {
      // as in s3270, a folder counts as an empty file
      if ((error as NodeJS.ErrnoException).code === 'EISDIR') return undefined;
      return `Warning: Cannot open '${name}': ${systemErrorWords(error)}`;
    }
    for (const { number, text } of sessionLines(lines)) {
      const where = `${name}:${number}`;
      if (text.startsWith('#')) this.warnings.push(`Warning: ${where}: Invalid profile syntax ('#' ignored)`);
      else this.#resource(text, where);
    }
    // read the command line again, because it overrides the file; its warnings appear twice
    this.#set = [];
    this.alias = PROGRAM;
    this.#readWords(words);
    return undefined;
  }

  #readWords(words: readonly string[]): ReadOutcome<readonly string[]> {
    const others: string[] = [];
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? '';
      // s3270 ignores the rest
      if (word === '--') break;
      if (!word.startsWith('-')) {
        others.push(word);
        continue;
      }
      if (word === '-e') {
        this.program = words.length > at + 1 ? words.slice(at + 1) : [this.shell];
        break;
      }
      if (this.#turn(word)) continue;
      if (settingOf(word) === undefined && !withValue.includes(word)) {
        others.push(word);
        continue;
      }
      const value = words[++at];
      if (value === undefined) {
        if (!setters.has(word)) this.warnings.push(`Missing value for '${word}'`);
        break;
      }
      const fault = this.#takeValue(word, value);
      if (fault !== undefined) return readFault(fault);
    }
    return readAs(others);
  }

  #checkVersion(): string | undefined {
    const version = this.#minVersion;
    if (version === undefined) return undefined;
    if (!/^\s*\d+(?:\.(?:\d+(?:\D+\d+)?)?)?$/.test(version)) return `Invalid minVersion: ${version}`;
    return isNewer(version) ? `Version ${LIKE_VERSION} < requested ${version}, aborting` : undefined;
  }

  #turn(option: string): boolean {
    const turned = switches[option];
    if (turned !== undefined) this.toggles.set(...turned);
    else if (option === '-4' || option === '-6') this.addresses = option === '-4' ? 4 : 6;
    else if (option === '-scriptportonce' || option === '-once') this.isOnce = true;
    else if (option === '-socket') this.hasSocket = true;
    else return needless.has(option);
    return true;
  }

  #takeValue(option: string, value: string): string | undefined {
    const setting = settingOf(option);
    if (setting !== undefined) {
      const fault = this.#take(setting, value);
      if (fault !== undefined) this.warnings.push(`Warning: ${fault}`);
      return undefined;
    }
    switch (option) {
      case '-clear':
        return this.#setSwitch(value, 'false');
      case '-set':
        return value.includes('=') ? this.#setValue(value) : this.#setSwitch(value, 'true');
      case '-alias':
        this.alias = value;
        break;
      case '-callback':
        this.callback = value;
        break;
      case '-clientcert':
        this.toggles.set('certFile', value);
        break;
      case '-minversion':
        this.#minVersion = value;
        break;
      default:
        this.#resource(value, '-xrm');
    }
    return undefined;
  }

  /** Keeps an invalid proxy, so that the first connection fails instead of bypassing the proxy. */
  #take(setting: ToggleName, value: string): string | undefined {
    this.given.add(setting);
    if (setting !== 'proxy') return this.toggles.set(setting, value);
    this.toggles.keep(setting, value);
    return undefined;
  }

  #setValue(written: string): string | undefined {
    const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(written) ?? [];
    const setting = Toggles.nameOf(name);
    if (setting === undefined) return noToggle('toggle', name, Toggles.names);
    const isNone = value === '' && Toggles.isNumber(setting);
    const judged = setting === 'proxy' ? undefined : new Toggles().set(setting, value);
    const fault = isNone ? 'it is a number' : judged;
    if (fault !== undefined) return `Error: -set ${written}: invalid value (${fault})`;
    this.#set.push([setting, value]);
    return undefined;
  }

  #setSwitch(name: string, value: 'true' | 'false'): string | undefined {
    const setting = Toggles.nameOf(name);
    if (setting === undefined || !Toggles.isSwitch(setting)) return noSwitch(name);
    this.#set.push([setting, value]);
    return undefined;
  }

  #resource(written: string, where: string): void {
    const warn = (fault: string) => this.warnings.push(`Warning: ${where}: ${fault}`);
    const resource = readResource(written, this.alias);
    if (resource.kind === 'fault') {
      warn(`Invalid resource syntax${resource.fault}`);
      return;
    }
    const { name, value } = resource.value;
    if (name === 'hostname') {
      this.resourceHost = value;
      return;
    }
    if (this.idle.take(name, value) || needlessResources.has(name) || name.startsWith('macros.')) return;
    const warnOfSwitch = () => this.warnings.push(`Warning: ${where} value must be true or false`);
    if (name === 'scriptPortOnce' || name === 'idleCommandEnabled' || needlessSwitches.has(name)) {
      const truth = readTruth(value);
      if (truth === undefined) warnOfSwitch();
      else if (name === 'scriptPortOnce') this.isOnce = truth;
      else if (name === 'idleCommandEnabled') this.idle.isEnabled = truth;
      return;
    }
    if (TransferResources.has(name)) {
      const fault = this.transfers.take(name, value);
      if (fault !== undefined) warn(fault);
      return;
    }
    const known = name === 'charset' ? 'codePage' : name;
    const setting = (Toggles.names as readonly ToggleName[]).find((setting) => setting === known);
    if (setting === undefined) {
      warn(`Unknown resource name: ${resource.value.written}${didYouMean(name, Toggles.names)}`);
      return;
    }
    if (Toggles.isNumber(setting) || setting === 'connectTimeout') {
      const number = resourceInteger(value);
      if (number === undefined) warn(`Invalid Integer value: ${value}`);
      else this.toggles.keep(setting, String(number));
      return;
    }
    const fault = this.#take(setting, value);
    if (fault === undefined) return;
    if (Toggles.isSwitch(setting)) warnOfSwitch();
    else warn(fault);
  }
}

export function readS3270Options(
  words: readonly string[],
  readFile: (file: string) => readonly string[],
  shell = '/bin/sh',
): ReadOutcome<S3270Options | Print> {
  const print = printOf(words);
  if (print !== undefined) return readAs(print);
  const line = new CommandLine(readFile, shell);
  const fault = line.take(words);
  if (fault !== undefined) return readFault([...line.warnings, fault].join('\n'));
  const { toggles, program, host = line.resourceHost, callback, isOnce, hasSocket, addresses, warnings } = line;
  const given = (name: ToggleName) => (line.given.has(name) ? toggles.get(name) : undefined);
  const { words: transferDefaults, warnings: ofTransfers } = line.transfers.settle();
  const { idle, warnings: ofIdle } = line.idle.settle();
  const hasNoSize = given('oversize') === '';
  const isPreferred = toggles.isOn('preferIpv4') ? 4 : toggles.isOn('preferIpv6') ? 6 : undefined;
  return readAs({
    toggles,
    host,
    program,
    httpd: given('httpd'),
    scriptPort: given('scriptPort'),
    hasSocket,
    callback,
    transferDefaults,
    idle,
    isOnce,
    addresses: addresses ?? isPreferred,
    warnings,
    lateWarnings: [...(hasNoSize ? ["Warning: Invalid oversize value ''"] : []), ...ofIdle, ...ofTransfers],
  });
}

function printOf(words: readonly string[]): Print | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-e' || word === '--') return undefined;
    const print = prints.get(word);
    if (print !== undefined) return print;
    if (withValue.includes(word) || settingOf(word) !== undefined) at++;
  }
  return undefined;
}

function noSwitch(name: string): string {
  return noToggle('Boolean toggle', name, (Toggles.names as readonly ToggleName[]).filter(Toggles.isSwitch));
}

function noToggle(kind: string, name: string, names: readonly string[]): string {
  const near = Toggles.nameOf(name) === undefined ? didYouMean(name, names) : '';
  return `Unknown ${kind} '${name}'${near}. Toggle names are:\n ${names.join(' ')}`;
}

function settingOf(option: string): ToggleName | undefined {
  const name = option.slice(1);
  return otherNames.get(name) ?? valueSettings.find((setting) => setting.toLowerCase() === name);
}

function nearOption(word: string): string {
  const settings = [...valueSettings, ...otherNames.keys()].map((name) => `-${name.toLowerCase()}`);
  const options = [...settings, ...Object.keys(switches), ...needless, ...withValue, ...alone, ...prints.keys()];
  return didYouMean(word.toLowerCase(), options);
}

function isNewer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [ownMajor = 0, ownMinor = 0] = LIKE_VERSION.split('.').map((part) => Number.parseInt(part, 10));
  return major > ownMajor || (major === ownMajor && minor > ownMinor);
}

/** Session files end with `.s3270` or with the alias of the program. */
function isSessionFile(name: string, alias: string): boolean {
  const folded = name.toLowerCase();
  return [PROGRAM, alias].some((program) => folded.endsWith(`.${program.toLowerCase()}`));
}

/** A backslash at the end continues a line. `number` is that of its last row. */
function sessionLines(lines: readonly string[]) {
  const joined: { readonly number: number; readonly text: string }[] = [];
  let before = '';
  for (const [at, line] of lines.entries()) {
    const goesOn = line.endsWith('\\');
    before += goesOn ? line.slice(0, -1) : line;
    if (goesOn && at < lines.length - 1) continue;
    const text = before.trim();
    before = '';
    if (text !== '' && !text.startsWith('!')) joined.push({ number: at + 1, text });
  }
  return joined;
}

/** s3270 version with compatible output: scripts require a minimum version. */
const LIKE_VERSION = '4.6ga1';

export function s3270Version(): string {
  return `s3270 v${LIKE_VERSION} (Sallyport ${installedVersion()})`;
}
