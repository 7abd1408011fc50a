import type { DeviceRefusal } from '../../../machines/device-refusal.js';
import { OptionStates, verbMeanings } from './option-states.js';
import { type NegotiationVerb, optionRequests, telnetOptions } from './telnet-codes.js';
import { encodeNegotiation, encodeSubnegotiation } from './telnet-encoder.js';
import {
  decodeFunctions,
  decodeName,
  encodeFunctions,
  encodeName,
  findRejectReason,
  numberedName,
  type RejectReason,
  rejectWords,
  type Tn3270eFunction,
  tn3270eWords,
} from './tn3270e-words.js';

export interface ClientNegotiationOptions {
  /** For TN3270E, e.g. `IBM-3278-2-E`. */
  readonly deviceType: string;
  /** For TTYPE, e.g. `IBM-3279-2-E`. */
  readonly terminalType: string;
  /** Logical units to request, each after the previous one is rejected. If empty, the host chooses. */
  readonly deviceNames: readonly string[];
  /** Logical unit of a display whose printer is requested. */
  readonly associate?: string | undefined;
  readonly tn3270e: boolean;
  /**
   * True to fall back to plain TN3270, and request the names again, if the host rejects all devices in TN3270E or
   * agrees to functions that were not requested. A request for the terminal type after the last name is a rejection.
   */
  readonly fallsBack?: boolean | undefined;
  readonly functions: readonly Tn3270eFunction[];
  readonly environment: ReadonlyMap<string, string>;
  /** Variables sent only if the host requests them by name. */
  readonly environmentByName?: ReadonlyMap<string, string> | undefined;
  readonly startTls: boolean;
  readonly rows: number;
  readonly columns: number;
}

interface ClientNegotiationPort {
  send(bytes: Uint8Array): void;
  changed(): void;
  startTls(): void;
  /** No requested device is available; the negotiation ends. */
  deviceRefused(refusals: readonly DeviceRefusal[]): void;
}

/** `none`: nothing agreed, e.g. in line mode. `tn3270eNegotiating`: device or functions not agreed yet. */
export type ClientMode = 'none' | 'tn3270' | 'tn3270eNegotiating' | 'tn3270e';

/** Agreed option codes in ascending order. Before the agreement, `functions` are the requested ones. */
export interface TelnetAgreement {
  readonly own: readonly number[];
  readonly hosts: readonly number[];
  readonly functions: ReadonlySet<Tn3270eFunction>;
}

/** Options that plain TN3270 requires of each side (RFC 1576, section 3). */
const ownTn3270Options = [telnetOptions.terminalType, telnetOptions.endOfRecord, telnetOptions.binary];
const hostTn3270Options = [telnetOptions.endOfRecord, telnetOptions.binary];

/** Rejections that a request for another name may avoid. */
const nameRefusals: ReadonlySet<RejectReason> = new Set([
  'connectedPartner',
  'deviceInUse',
  'invalidAssociation',
  'invalidName',
  'typeNameError',
  'unknownError',
]);

/**
 * The terminal's side of the negotiation (RFC 854, 1091, 1572, 1576, 1646, 2355), without socket or clock. Answers each
 * command of the host at most once, and only if it changes something, so two peers cannot loop.
 */
export class ClientNegotiation {
  readonly #options: ClientNegotiationOptions;
  readonly #port: ClientNegotiationPort;
  readonly #own = new OptionStates();
  readonly #hosts = new OptionStates();
  #functions: ReadonlySet<Tn3270eFunction> = new Set();
  #agreed = false;
  #deviceName: string | undefined;
  #nameIndex = 0;
  #terminalTypesSent = 0;
  #environmentNamesSent = 0;
  #isSecured = false;
  readonly #refusals: DeviceRefusal[] = [];

  constructor(options: ClientNegotiationOptions, port: ClientNegotiationPort) {
    this.#options = options;
    this.#port = port;
  }

  get mode(): ClientMode {
    if (this.#own.isOn(telnetOptions.tn3270e)) return this.#agreed ? 'tn3270e' : 'tn3270eNegotiating';
    return this.#own.allOn(ownTn3270Options) && this.#hosts.allOn(hostTn3270Options) ? 'tn3270' : 'none';
  }

  get functions(): ReadonlySet<Tn3270eFunction> {
    return this.#functions;
  }

  get agreement(): TelnetAgreement {
    const functions = this.mode === 'tn3270eNegotiating' ? new Set(this.#options.functions) : this.#functions;
    return { own: this.#own.codes, hosts: this.#hosts.codes, functions };
  }

  get deviceName(): string | undefined {
    return this.#deviceName;
  }

  /** The last device rejected in TN3270E; undefined after an agreement. */
  get refusal(): DeviceRefusal | undefined {
    if (this.#options.fallsBack === true) return undefined;
    return this.mode === 'tn3270' || this.mode === 'tn3270e' ? undefined : this.#refusals.at(-1);
  }

  get gathersRecords(): boolean {
    return this.mode !== 'none';
  }

  get hostEchoes(): boolean {
    return this.#hosts.isOn(telnetOptions.echo);
  }

  negotiation(verb: NegotiationVerb, option: number): void {
    const { ours, on } = verbMeanings[verb];
    const isTn3270eEnd = option === telnetOptions.tn3270e && verb === 'wont';
    if (ours || isTn3270eEnd) this.#setOwn(option, on);
    else this.#setHosts(option, on);
    this.#port.changed();
  }

  subnegotiation(body: Uint8Array): void {
    switch (body[0]) {
      case telnetOptions.terminalType:
        if (body[1] === optionRequests.send && this.#own.isOn(telnetOptions.terminalType)) this.#sendTerminalType();
        break;
      case telnetOptions.newEnvironment:
        if (body[1] === optionRequests.send && this.#own.isOn(telnetOptions.newEnvironment))
          this.#sendEnvironment(body);
        break;
      case telnetOptions.tn3270e:
        if (this.#own.isOn(telnetOptions.tn3270e)) this.#takeTn3270e(body.subarray(1));
        break;
      case telnetOptions.startTls:
        if (this.#own.isOn(telnetOptions.startTls)) this.#port.startTls();
        break;
    }
    this.#port.changed();
  }

  /** Rejects STARTTLS from now on: the connection uses TLS. */
  secured(): void {
    this.#isSecured = true;
  }

  /** Starts the negotiation again after STARTTLS. */
  restart(): void {
    this.secured();
    this.#own.clear();
    this.#hosts.clear();
    this.#refusals.length = 0;
    this.#forgetTn3270e();
    this.#port.changed();
  }

  #setOwn(option: number, on: boolean): void {
    if (on && !this.#offers(option)) {
      // also answers TIMING-MARK: either answer, sent in order, confirms all preceding data (RFC 860)
      this.#send('wont', option);
      return;
    }
    if (!this.#own.set(option, on)) return;
    if (option === telnetOptions.tn3270e) this.#forgetTn3270e();
    this.#send(on ? 'will' : 'wont', option);
    if (!on) return;
    if (option === telnetOptions.windowSize) this.#sendWindowSize();
    if (option === telnetOptions.startTls) this.#sendSubnegotiation(Uint8Array.of(option, STARTTLS_FOLLOWS));
  }

  #setHosts(option: number, on: boolean): void {
    if (on && !acceptedFromHost.has(option)) this.#send('dont', option);
    else if (this.#hosts.set(option, on)) this.#send(on ? 'do' : 'dont', option);
  }

  #offers(option: number): boolean {
    if (option === telnetOptions.tn3270e) return this.#options.tn3270e;
    if (option === telnetOptions.startTls) return this.#options.startTls && !this.#isSecured;
    return offeredToHost.has(option);
  }

  /** The logical unit follows the type (RFC 1646, section 4). Each further request gets the next name. */
  #sendTerminalType(): void {
    const { terminalType, deviceNames, fallsBack } = this.#options;
    if (fallsBack === true && deviceNames.length > 0 && this.#terminalTypesSent >= deviceNames.length) {
      this.#port.deviceRefused(
        deviceNames.map((name) => ({ device: logicalUnitWords(name), reason: rejectWords.invalidName })),
      );
      return;
    }
    const name = this.#deviceNameAt(this.#terminalTypesSent++);
    const text = name === undefined ? terminalType : `${terminalType}@${name}`;
    this.#sendSubnegotiation(Uint8Array.of(telnetOptions.terminalType, optionRequests.is, ...encodeName(text)));
  }

  #deviceNameAt(times: number): string | undefined {
    const { deviceNames } = this.#options;
    return deviceNames[Math.min(times, deviceNames.length - 1)];
  }

  /** Sends the device as DEVNAME; a host that rejects it requests the variables again (RFC 4777). */
  #sendEnvironment(request: Uint8Array): void {
    const { environment, environmentByName } = this.#options;
    const written = environment.get(DEVICE_NAME);
    const numbered = written === undefined ? undefined : numberedName(written, this.#environmentNamesSent + 1);
    const name = this.#deviceNameAt(this.#environmentNamesSent) ?? numbered;
    if (name !== undefined && asksForVariable(request, DEVICE_NAME)) this.#environmentNamesSent++;
    if (!isEnvironmentRequest(request)) return;
    const told = name === undefined ? environment : new Map([...environment, [DEVICE_NAME, name]]);
    this.#sendSubnegotiation(answerEnvironmentRequest(request, told, environmentByName));
  }

  #sendWindowSize(): void {
    const { rows, columns } = this.#options;
    this.#sendSubnegotiation(
      Uint8Array.of(telnetOptions.windowSize, columns >> 8, columns & 0xff, rows >> 8, rows & 0xff),
    );
  }

  #takeTn3270e(words: Uint8Array): void {
    const [first, second] = words;
    if (first === tn3270eWords.send && second === tn3270eWords.deviceType) this.#requestDevice();
    else if (first === tn3270eWords.deviceType && second === tn3270eWords.is) this.#takeDevice(words.subarray(2));
    else if (first === tn3270eWords.deviceType && second === tn3270eWords.reject) this.#takeRejection(words[3]);
    else if (first === tn3270eWords.functions && second === tn3270eWords.request) this.#takeRequest(words.subarray(2));
    else if (first === tn3270eWords.functions && second === tn3270eWords.is) this.#agree(words.subarray(2));
  }

  #requestDevice(): void {
    this.#agreed = false;
    const which = this.#requestedDevice();
    this.#sendTn3270e(tn3270eWords.deviceType, tn3270eWords.request, ...encodeName(this.#options.deviceType), ...which);
  }

  #requestedDevice(): readonly number[] {
    const { associate, deviceNames } = this.#options;
    if (associate !== undefined) return [tn3270eWords.associate, ...encodeName(associate)];
    const name = deviceNames[this.#nameIndex];
    return name === undefined ? [] : [tn3270eWords.connect, ...encodeName(name)];
  }

  /** `type CONNECT name`, or `type` if the host does not report the name. */
  #takeDevice(typeAndName: Uint8Array): void {
    const connect = typeAndName.indexOf(tn3270eWords.connect);
    this.#deviceName = connect < 0 ? undefined : decodeName(typeAndName.subarray(connect + 1));
    this.#requestFunctions(new Set(this.#options.functions));
  }

  #takeRejection(code: number | undefined): void {
    const reason = findRejectReason(code);
    const { associate, deviceNames } = this.#options;
    const name = deviceNames[this.#nameIndex];
    const device = associate === undefined ? logicalUnitWords(name) : associatedPrinterWords(associate);
    this.#refusals[this.#nameIndex] = { device, reason: rejectWords[reason] };
    if (nameRefusals.has(reason) && this.#nameIndex + 1 < deviceNames.length) {
      this.#nameIndex++;
      this.#requestDevice();
    } else if (this.#options.fallsBack !== true && (deviceNames.length > 0 || associate !== undefined)) {
      this.#port.deviceRefused([...this.#refusals]);
    } else {
      // the host rejects this device type in TN3270E; plain TN3270 may still work
      this.#setOwn(telnetOptions.tn3270e, false);
    }
  }

  /** Accepts the host's counter-offer if all its functions are supported, else requests the common ones. */
  #takeRequest(codes: Uint8Array): void {
    const asked = decodeFunctions(codes);
    const wanted = new Set(this.#options.functions);
    const common = new Set([...asked].filter((name) => wanted.has(name)));
    if (common.size === codes.length) {
      this.#sendTn3270e(tn3270eWords.functions, tn3270eWords.is, ...encodeFunctions(common));
      this.#agree(codes);
    } else {
      this.#requestFunctions(common);
    }
  }

  #requestFunctions(functions: ReadonlySet<Tn3270eFunction>): void {
    this.#sendTn3270e(tn3270eWords.functions, tn3270eWords.request, ...encodeFunctions(functions));
  }

  #agree(codes: Uint8Array): void {
    const wanted = new Set(this.#options.functions);
    const common = [...decodeFunctions(codes)].filter((name) => wanted.has(name));
    if (this.#options.fallsBack === true && common.length < codes.length) {
      this.#setOwn(telnetOptions.tn3270e, false);
      return;
    }
    this.#functions = new Set(common);
    this.#agreed = true;
  }

  #forgetTn3270e(): void {
    this.#agreed = false;
    this.#functions = new Set();
    this.#deviceName = undefined;
    this.#nameIndex = 0;
    this.#terminalTypesSent = 0;
    this.#environmentNamesSent = 0;
  }

  #sendTn3270e(...words: number[]): void {
    this.#sendSubnegotiation(Uint8Array.of(telnetOptions.tn3270e, ...words));
  }

  #send(verb: NegotiationVerb, option: number): void {
    this.#port.send(encodeNegotiation(verb, option));
  }

  #sendSubnegotiation(body: Uint8Array): void {
    this.#port.send(encodeSubnegotiation(body));
  }
}

function logicalUnitWords(name: string | undefined): string {
  return name === undefined ? 'a logical unit' : `logical unit ${name}`;
}

export function associatedPrinterWords(display: string): string {
  return `the printer of ${display}`;
}

const DEVICE_NAME = 'DEVNAME';

const STARTTLS_FOLLOWS = 1;

const offeredToHost: ReadonlySet<number> = new Set([
  telnetOptions.binary,
  telnetOptions.suppressGoAhead,
  telnetOptions.terminalType,
  telnetOptions.endOfRecord,
  telnetOptions.windowSize,
  telnetOptions.newEnvironment,
]);

const acceptedFromHost: ReadonlySet<number> = new Set([
  telnetOptions.binary,
  telnetOptions.echo,
  telnetOptions.suppressGoAhead,
  telnetOptions.endOfRecord,
]);

/** Type codes of NEW-ENVIRON (RFC 1572). */
const variableTypes = { variable: 0, value: 1, escape: 2, userVariable: 3 } as const;

const needsEscape = (byte: number) => byte <= variableTypes.userVariable;

/** Well-known variables are sent as VAR, all others as USERVAR (RFC 1572, section 4). */
const wellKnown: ReadonlySet<string> = new Set(['USER', 'JOB', 'ACCT', 'PRINTER', 'SYSTEMTYPE', 'DISPLAY']);

/**
 * Sends the requested variables, or all of `environment` if none is named; unknown ones without a value.
 * @param byName variables sent only if requested by name
 */
function answerEnvironmentRequest(
  body: Uint8Array,
  environment: ReadonlyMap<string, string>,
  byName: ReadonlyMap<string, string> = new Map(),
): Uint8Array {
  const asked = variablesAskedFor(body);
  const answer: number[] = [telnetOptions.newEnvironment, optionRequests.is];
  const names = asked.length > 0 ? asked : [...environment.keys()].map((name) => ({ type: typeOf(name), name }));
  for (const { type, name } of names) {
    // a type without a name requests all of that type
    const found = name === '' ? [...environment.keys()].filter((known) => typeOf(known) === type) : [name];
    for (const one of found) {
      // a name is a string of raw bytes: sent back unchanged
      answer.push(type, ...escapedBytes(Uint8Array.from(one, (byte) => byte.charCodeAt(0))));
      // a variable requested with the wrong type has no value
      const value = typeOf(one) === type ? (environment.get(one) ?? byName.get(one)) : undefined;
      if (value !== undefined) answer.push(variableTypes.value, ...escaped(value));
    }
  }
  return Uint8Array.from(answer);
}

/** True if SEND has no body or starts with a type of variable. Other requests get no answer, as in s3270. */
function isEnvironmentRequest(body: Uint8Array): boolean {
  return body.length === 2 || body[2] === variableTypes.variable || body[2] === variableTypes.userVariable;
}

function asksForVariable(body: Uint8Array, wanted: string): boolean {
  const asked = variablesAskedFor(body);
  return (
    asked.length === 0 || asked.some(({ type, name }) => type === typeOf(wanted) && (name === '' || name === wanted))
  );
}

const typeOf = (name: string) => (wellKnown.has(name) ? variableTypes.variable : variableTypes.userVariable);

interface AskedVariable {
  readonly type: number;
  readonly name: string;
}

function variablesAskedFor(body: Uint8Array): AskedVariable[] {
  const asked: Array<{ type: number; name: string }> = [];
  for (let at = 2; at < body.length; at++) {
    const byte = body[at] as number;
    const last = asked.at(-1);
    if (byte === variableTypes.variable || byte === variableTypes.userVariable) asked.push({ type: byte, name: '' });
    else if (byte === variableTypes.escape && last !== undefined) last.name += String.fromCharCode(body[++at] ?? 0);
    else if (last !== undefined) last.name += String.fromCharCode(byte);
  }
  return asked;
}

function escaped(text: string): number[] {
  return escapedBytes(new TextEncoder().encode(text));
}

function escapedBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte) => (needsEscape(byte) ? [variableTypes.escape, byte] : [byte]));
}
