import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import { readProxy } from '../tn3270/host/host-proxy.js';

const tlsProtocols = ['SSL2', 'SSL3', 'TLS1', 'TLS1.0', 'TLS1.1', 'TLS1.2', 'TLS1.3'] as const;

type Judge = (name: string, value: string) => ReadOutcome<string>;

const truths = ['true', 't', '1', 'on', 'set'];
const lies = ['false', 'f', '0', 'off', 'clear'];

const text: Judge = (_, value) => readAs(value);
const MOST_NUMBER = 2 ** 31 - 1;
/** Reads a decimal number as C does and removes superfluous characters. */
function numberFrom(least: number): Judge {
  return (name, value) => {
    const read = /^\s*[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    return read >= least && read <= MOST_NUMBER ? readAs(String(read || 0)) : readFault(`Invalid ${name} value`);
  };
}
const number = numberFrom(0);
const anyNumber = numberFrom(-MOST_NUMBER - 1);
export function readTruth(value: string): boolean | undefined {
  const folded = value.toLowerCase();
  return truths.includes(folded) ? true : lies.includes(folded) ? false : undefined;
}
function truth(prefix: string): Judge {
  return (name, value) => {
    const read = readTruth(value);
    return read === undefined ? readFault(`${prefix}${name} value must be true or false`) : readAs(String(read));
  };
}
/** For most switches the error names the action; for some it does not (s3270 4.1, verified). */
const ownSwitch = truth('');
const bareSwitch: Judge = (name, value) => {
  const read = ownSwitch(name, value);
  return read.kind === 'fault' ? readFault('value must be true or false') : read;
};
const lineModes: Judge = (_, value) =>
  ['line', 'character', 'characterCrLf'].includes(value)
    ? readAs(value)
    : readFault(`Invalid noTelnetInputMode value '${value}'`);
const proxy: Judge = (_, value) => {
  const read = value === '' ? readAs(value) : readProxy(value);
  return read.kind === 'fault' ? read : readAs(value);
};
const protocol: Judge = (name, value) =>
  value === '' || tlsProtocols.some((known) => known.toLowerCase() === value.toLowerCase())
    ? readAs(value)
    : readFault(`Invalid ${name} value '${value}': must be one of ${tlsProtocols.join(', ')}`);

const DEFAULT_BUFFER = 16_384;
export function soundBuffer(bytes: number): number {
  return bytes >= 256 && bytes <= 32_767 ? bytes : DEFAULT_BUFFER;
}
const bufferSize: Judge = (name, value) => {
  const read = anyNumber(name, value || '0');
  return read.kind === 'fault' ? read : readAs(String(soundBuffer(Number(read.value))));
};

interface Setting {
  readonly value: string;
  readonly judge: Judge | 'switch';
}

const on: Setting = { value: 'true', judge: 'switch' };
const off: Setting = { value: 'false', judge: 'switch' };
const empty: Setting = { value: '', judge: text };

/** Settings of a terminal with their defaults (`Set`, `Toggle`, `-set`, `-xrm`), in alphabetical order. */
const settings = {
  acceptHostname: empty,
  aidWait: on,
  alwaysInsert: off,
  blankFill: on,
  caDir: empty,
  caFile: empty,
  certFile: empty,
  certFileType: empty,
  chainFile: empty,
  codePage: { value: 'bracket', judge: text },
  // the default applies if it is not a number
  connectTimeout: empty,
  contentionResolution: on,
  cookieFile: empty,
  devName: empty,
  ftBufferSize: { value: String(DEFAULT_BUFFER), judge: bufferSize },
  hostsFile: empty,
  httpd: empty,
  insertMode: off,
  keyFile: empty,
  keyFileType: empty,
  keyPasswd: empty,
  lineMode: on,
  lineWrap: off,
  loginMacro: empty,
  model: { value: '3279-4-E', judge: text },
  monoCase: off,
  noTelnetInputMode: { value: 'line', judge: lineModes },
  nopSeconds: { value: '0', judge: (name, value) => number(name, value || '0') },
  numericLock: off,
  nvt: off,
  oerrLock: { value: 'true', judge: ownSwitch },
  oversize: empty,
  port: { value: '23', judge: text },
  preferIpv4: off,
  preferIpv6: off,
  proxy: { value: '', judge: proxy },
  reconnect: { value: 'false', judge: bareSwitch },
  retry: off,
  reverseInputMode: off,
  rightToLeftMode: off,
  rpq: empty,
  screenTrace: off,
  scriptPort: empty,
  showTiming: off,
  startTls: { value: 'true', judge: ownSwitch },
  termName: { value: '', judge: (_, value) => readAs(value.trim()) },
  tlsMaxProtocol: { value: '', judge: protocol },
  tlsMinProtocol: { value: '', judge: protocol },
  trace: off,
  traceFile: empty,
  traceFileSize: empty,
  typeahead: on,
  // no effect: the keyboard is never locked longer than by the host, which is what scripts request with `false`
  unlockDelay: { value: 'false', judge: ownSwitch },
  unlockDelayMs: { value: '350', judge: (_, value) => number('unlockDelay', value || '0') },
  user: empty,
  verifyHostCert: { value: 'true', judge: ownSwitch },
} as const satisfies Readonly<Record<string, Setting>>;

export type ToggleName = keyof typeof settings;
export type PortName = 'httpd' | 'scriptPort';

const numbers: ReadonlySet<ToggleName> = new Set(['ftBufferSize', 'nopSeconds', 'unlockDelayMs']);
const byFoldedName = new Map((Object.keys(settings) as ToggleName[]).map((name) => [name.toLowerCase(), name]));

export class Toggles {
  readonly #values = new Map<ToggleName, string>();

  static readonly names: readonly string[] = Object.keys(settings);

  static nameOf(written: string): ToggleName | undefined {
    return byFoldedName.get(written.toLowerCase());
  }

  static isSwitch(name: ToggleName): boolean {
    const { judge }: Setting = settings[name];
    return judge === 'switch' || judge === ownSwitch || judge === bareSwitch;
  }

  static isNumber(name: ToggleName): boolean {
    return numbers.has(name);
  }

  get(name: ToggleName): string {
    return this.#values.get(name) ?? settings[name].value;
  }

  shown(name: ToggleName): string {
    return shownSetting(name, this.get(name));
  }

  isOn(name: ToggleName): boolean {
    return this.get(name) === 'true';
  }

  /** Sets a value that is checked only when it is used. */
  keep(name: ToggleName, value: string): void {
    this.#values.set(name, value);
  }

  set(name: ToggleName, value: string, action = 'Set'): string | undefined {
    const { judge } = settings[name];
    const judged = (judge === 'switch' ? truth(`${action}(): `) : judge)(name, value);
    if (judged.kind === 'fault') return judged.fault;
    this.#values.set(name, judged.value);
    return undefined;
  }

  list(): string[] {
    return (Object.keys(settings) as ToggleName[]).map((name) => `${name}: ${this.shown(name)}`.trimEnd());
  }
}

const HIDDEN = '***';

/** Masks the password in a setting. */
function shownSetting(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'keypasswd':
      return value === '' || value.startsWith('file:') ? value : HIDDEN;
    case 'proxy':
      return value.replace(/^([^:]*:[^:]*):.*@/s, `$1:${HIDDEN}@`);
    default:
      return value;
  }
}

export function shownCommandLine(words: readonly string[]): string {
  return words
    .map((word, at) => {
      const option = words[at - 1]?.toLowerCase() ?? '';
      if (option !== '-set' && option !== '-xrm') return shownSetting(option.replace(/^-/, ''), word);
      const [, before = '', name = '', between = '', value = ''] =
        /^(.*?)(keypasswd|proxy)(\s*[=:]\s*)(.*)$/is.exec(word) ?? [];
      return name === '' ? word : `${before}${name}${between}${shownSetting(name, value)}`;
    })
    .join(' ');
}
