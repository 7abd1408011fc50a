import { findCharacterSetIdentifiers } from '../../tn3270/datastream/query-reply.js';
import { proxyTypes, readProxy } from '../../tn3270/host/host-proxy.js';
import { type OperatorError, operatorErrors } from '../../tn3270/keyboard/operator-errors.js';
import { telnetOptions } from '../../tn3270/telnet/telnet-codes.js';
import { tn3270eFunctionNames } from '../../tn3270/telnet/tn3270e-words.js';
import type { ActionFamily, ScriptCaller } from '../action.js';
import { ActionError } from '../action-error.js';
import { codePageLines } from '../code-page-list.js';
import { hostPrefixes } from '../host-name.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { LINE_TERMINAL } from '../terminal-identity.js';

type Tell = (terminal: ScriptedTerminal, caller: ScriptCaller) => string | readonly string[] | undefined;

/** Answers that `Query()` without a name abbreviates to `...`. */
const longAnswers: Readonly<Record<string, Tell>> = {
  About: ({ options }) => [options.version, 'Apache-2.0. Answers as s3270 does, of which it has no code.'],
  Actions: (_, { actionNames }) => actionNames.map((name) => `${name}()`).join(' '),
  CodePages: () => codePageLines,
  Copyright: ({ options }) => [options.version, '', 'Licensed under the Apache License, Version 2.0.'],
  Proxies: () =>
    Object.entries(proxyTypes).map(([name, { takesUser, port }]) =>
      [name, takesUser ? 'username' : 'no-username', ...(port === undefined ? [] : [port])].join(' '),
    ),
  Tasks: ({ scripts }) => [...scripts].flatMap(({ tasks }) => tasks),
};

const answers: Readonly<Record<string, Tell>> = {
  BindPluName: (terminal) => terminal.primaryName,
  BuildOptions: () => `node ${process.versions.node}`,
  CodePage: codePageWords,
  CommandLine: ({ options }) => options.commandLine,
  ConnectTime: ({ host }) => (host === undefined ? undefined : clockOf(Date.now() - host.since)),
  ConnectionState: connectionState,
  Cursor1: (terminal) => {
    const { cursor, columns } = shownSpace(terminal);
    return `row ${Math.floor(cursor / columns) + 1} column ${(cursor % columns) + 1} offset ${cursor}`;
  },
  Dirs: () => undefined,
  Formatted: (terminal) => (shownSpace(terminal).formatted ? 'formatted' : 'unformatted'),
  Host: ({ host }) => {
    if (host === undefined) return undefined;
    return host.program === undefined ? `host ${host.host} ${host.port}` : `process ${host.host}`;
  },
  KeyboardLock: (terminal) => String(!terminal.isConnected || terminal.screen.state.operator.keyboardLocked),
  KeyboardLockDetail: lockWords,
  LocalEncoding: () => 'UTF-8',
  // without TN3270E the host does not report its logical unit: return the first one requested
  LuName: ({ host, conversation, isIn3270Mode }) =>
    isIn3270Mode && !conversation.isTn3270e ? host?.deviceNames[0] : host && conversation.deviceName,
  OutputQueues: ({ scripts }) => {
    const told = [...scripts].flatMap(({ queued }) => queued ?? []);
    return told.length === 0 ? undefined : told;
  },
  Prefixes: () => hostPrefixes,
  Proxy: proxyWords,
  ReplyMode: ({ host, screen }) => (host === undefined ? undefined : screen.state.replyMode),
  Resolver: () => 'getaddrinfo',
  ScreenSizeCurrent: (terminal) => sizeWords(shownSpace(terminal)),
  ScreenSizeMax: ({ kind }) => sizeWords(kind.model.alternateSize),
  ScreenTraceFile: ({ screenTrace }) => screenTrace?.file,
  StatsRx: (terminal) => trafficWords(terminal, 'received'),
  StatsTx: (terminal) => trafficWords(terminal, 'sent'),
  TelnetHostOptions: ({ host, conversation }) => host && optionWords(conversation.agreed.hosts),
  TelnetMyOptions: ({ host, conversation }) => host && optionWords(conversation.agreed.own),
  TerminalName: ({ screen, options: { toggles } }) =>
    toggles.get('termName') || (toggles.isOn('nvt') ? LINE_TERMINAL : screen.state.model.terminalType),
  Tls: ({ host, conversation, options }) => {
    if (host === undefined) return undefined;
    if (conversation.secured === undefined) return 'not secure';
    const isVerified = host.verifies && options.toggles.isOn('verifyHostCert');
    return isVerified ? 'secure host-verified' : 'secure host-unverified';
  },
  TlsCertInfo: certificateWords,
  TlsProvider: () => `OpenSSL ${process.versions.openssl}`,
  TlsSessionInfo: ({ host, conversation }) => {
    const [version, cipher] = (host && conversation.secured?.split(' ')) ?? [];
    return version === undefined ? undefined : [`Version: ${version}`, `Cipher: ${cipher}`];
  },
  TlsSubjectNames: ({ connection }) => {
    const certificate = connection?.certificate;
    return (
      certificate?.subject && [
        ...new Set([...[certificate.subject.CN ?? []].flat(), ...alternateNames(certificate.subjectaltname)]),
      ]
    );
  },
  Tn3270eOptions: ({ host, conversation }) =>
    host && [...conversation.agreed.functions].map((name) => tn3270eFunctionNames[name]).join(' '),
  TraceFile: ({ traceFile }) => traceFile,
  Version: ({ options }) => options.version,
  WindowId: () => '0x0',
};

/** Names for older scripts; not listed by `Query()`. */
const olderAnswers: typeof answers = {
  Color: ({ kind }) => (kind.model.color ? 'color' : 'monochrome'),
  Cursor: (terminal) => {
    const { cursor, columns } = shownSpace(terminal);
    return `${Math.floor(cursor / columns)} ${cursor % columns}`;
  },
  Model: ({ kind }) => kind.name,
  ScreenCurSize: (terminal) => {
    const { rows, columns } = shownSpace(terminal);
    return `${rows} ${columns}`;
  },
  ScreenMaxSize: ({ kind }) => `${kind.model.alternateSize.rows} ${kind.model.alternateSize.columns}`,
  Ssl: (terminal, caller) => answers.Tls?.(terminal, caller),
};

function shownSpace(terminal: ScriptedTerminal) {
  if (terminal.isConnected) return terminal.screen.state.space;
  const { cursor, rows, columns, fieldAttributes } = terminal.print();
  return { cursor, rows, columns, formatted: fieldAttributes.some((attribute) => attribute !== 0) };
}

/** Lock reasons of operator errors in b3270 (attribute `oia` in its documentation). */
const errorWords: Readonly<Record<OperatorError, string>> = {
  [operatorErrors.protected]: 'oerr protected',
  [operatorErrors.numeric]: 'oerr numeric',
  [operatorErrors.overflow]: 'oerr overflow',
  [operatorErrors.doubleByte]: 'oerr dbcs',
  [operatorErrors.minusFunction]: 'minus',
  [operatorErrors.mandatoryFill]: 'inhibit',
  [operatorErrors.mandatoryEntry]: 'inhibit',
};

const lockNames = { time: 'twait', system: 'syswait', query: 'inhibit', bid: 'bid' } as const;

function lockWords(terminal: ScriptedTerminal): string {
  if (!terminal.isConnected) return 'not-connected';
  const { noPartner, awaitsFirstWrite, transferring, operatorError, programCheck, hostLock } =
    terminal.screen.state.operator;
  if (transferring) return 'file-transfer';
  if (operatorError !== undefined) return errorWords[operatorError];
  if (programCheck !== undefined) return 'inhibit';
  if (noPartner || awaitsFirstWrite) return 'field';
  return hostLock === undefined ? 'unlocked' : lockNames[hostLock];
}

function connectionState(terminal: ScriptedTerminal): string {
  if (terminal.isReconnecting) return 'reconnecting';
  if (!terminal.isConnected) return 'not-connected';
  switch (terminal.screen.partner) {
    case 'application':
      return terminal.conversation.isTn3270e ? 'connected-tn3270e' : 'connected-3270';
    case 'services':
      return 'connected-sscp';
    case 'line':
      if (terminal.conversation.isTn3270e) return 'connected-e-nvt';
      return terminal.screen.hostEchoes ? 'connected-nvt-charmode' : 'connected-nvt';
    case 'unbound':
      return 'connected-unbound';
    default:
      return pendingState(terminal);
  }
}

function pendingState({ step, conversation: { isConnected, agreed } }: ScriptedTerminal): string {
  if (step === undefined) return 'tcp-pending';
  if (!isConnected && step !== 'host') return `${step}-pending`;
  return agreed.own.includes(telnetOptions.tn3270e) ? 'connected-unbound' : 'telnet-pending';
}

function codePageWords({ kind: { codePage, codePageName } }: ScriptedTerminal): string {
  const { singleByte, doubleByte } = findCharacterSetIdentifiers(codePage.number);
  const words = (identifier: number) => `gcsgid ${identifier >>> 16} cpgid ${identifier & 0xffff}`;
  return doubleByte === undefined
    ? `${codePageName} sbcs ${words(singleByte)}`
    : `${codePageName} sbcs ${words(singleByte)} dbcs ${words(doubleByte)}`;
}

function proxyWords({ host, options }: ScriptedTerminal): string | undefined {
  const read = readProxy(options.toggles.get('proxy'));
  if (host === undefined || read.kind === 'fault') return undefined;
  const proxy = read.value;
  const user = proxy.user?.split(':')[0];
  return [proxy.type, proxy.host, proxy.port, ...(user === undefined ? [] : [user])].join(' ');
}

function trafficWords({ host, conversation }: ScriptedTerminal, way: 'received' | 'sent'): string | undefined {
  if (host === undefined) return undefined;
  const records = way === 'received' ? conversation.screen.records : conversation.sentRecords;
  return `records ${records} bytes ${conversation.traffic[way]}`;
}

const optionNames: Readonly<Record<number, string>> = {
  [telnetOptions.binary]: 'BINARY',
  [telnetOptions.echo]: 'ECHO',
  [telnetOptions.suppressGoAhead]: 'SUPPRESS GO AHEAD',
  [telnetOptions.terminalType]: 'TERMINAL TYPE',
  [telnetOptions.endOfRecord]: 'END OF RECORD',
  [telnetOptions.windowSize]: 'NAWS',
  [telnetOptions.newEnvironment]: 'NEW-ENVIRON',
  [telnetOptions.tn3270e]: 'TN3270E',
  [telnetOptions.startTls]: 'START-TLS',
};

function optionWords(codes: readonly number[]): string {
  return codes.map((code) => optionNames[code] ?? String(code)).join(' ');
}

function certificateWords({ connection }: ScriptedTerminal): readonly string[] | undefined {
  const certificate = connection?.certificate;
  if (certificate?.subject === undefined) return undefined;
  const { bits, modulus, subject, issuer, subjectaltname } = certificate;
  const names = alternateNames(subjectaltname);
  return [
    ...(bits === undefined ? [] : [`Public key: ${bits} bit ${modulus === undefined ? 'EC' : 'RSA'}`]),
    `Subject: ${nameWords(subject)}`,
    `Issuer: ${nameWords(issuer)}`,
    ...(names.length === 0 ? [] : [`Alternate DNS names: ${names.join(' ')}`]),
  ];
}

function alternateNames(text: string | undefined): string[] {
  return text?.split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : [])) ?? [];
}

function nameWords(name: object): string {
  return Object.entries(name)
    .map(([part, value]) => `${part} = ${value}`)
    .join(', ');
}

function sizeWords({ rows, columns }: { readonly rows: number; readonly columns: number }): string {
  return `rows ${rows} columns ${columns}`;
}

function clockOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 19);
}

function query(
  action: string,
  terminal: ScriptedTerminal,
  [asked]: readonly string[],
  caller: ScriptCaller,
): readonly string[] | undefined {
  if (asked === undefined || asked.toLowerCase() === '-all') return queryAll(terminal, caller, asked !== undefined);
  const told = tellerOf(action, asked)(terminal, caller) ?? '';
  return typeof told === 'string' ? [told] : told;
}

function tellerOf(action: string, asked: string): Tell {
  const folded = asked.toLowerCase();
  const beginning = Object.entries({ ...answers, ...longAnswers, ...olderAnswers }).filter(([name]) =>
    name.toLowerCase().startsWith(folded),
  );
  const [only] = beginning;
  const found = beginning.find(([name]) => name.length === asked.length) ?? only;
  if (found === undefined) throw new ActionError(`${action}: Unknown parameter`);
  const [name, tell] = found;
  if (beginning.length > 1 && name.length !== asked.length) throw new ActionError(`${action}: Ambiguous parameter`);
  return tell;
}

function queryAll(terminal: ScriptedTerminal, caller: ScriptCaller, isLong: boolean): readonly string[] {
  const short: typeof answers = Object.fromEntries(Object.keys(longAnswers).map((name) => [name, () => '...']));
  const all = Object.entries({ ...answers, ...(isLong ? longAnswers : short) });
  // order of s3270: capital letters first
  all.sort(([left], [right]) => (left < right ? -1 : 1));
  return all.flatMap(([name, tell]) => {
    const told = tell(terminal, caller) ?? '';
    const lines = typeof told === 'string' ? [told] : told;
    return lines.map((line) => `${name}: ${line}`.trimEnd());
  });
}

export const queryingActions: ActionFamily = {
  Query: { takes: [0, 1], act: (...given) => query('Query', ...given) },
  Show: { takes: [0, 1], act: (...given) => query('Show', ...given) },
};
