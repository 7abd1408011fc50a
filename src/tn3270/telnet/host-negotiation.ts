import { OptionStates, verbMeanings } from './option-states.js';
import { type NegotiationVerb, optionRequests, telnetOptions } from './telnet-codes.js';
import { encodeNegotiation, encodeSubnegotiation } from './telnet-encoder.js';
import {
  decodeFunctions,
  decodeName,
  encodeFunctions,
  encodeName,
  type RejectReason,
  rejectReasons,
  type Tn3270eFunction,
  tn3270eWords,
} from './tn3270e-words.js';

interface HostNegotiationOptions {
  readonly tn3270e: boolean;
  readonly functions: readonly Tn3270eFunction[];
  readonly printerFunctions?: readonly Tn3270eFunction[];
}

export type DeviceAssignment = { readonly name: string } | { readonly reject: RejectReason };

interface HostNegotiationPort {
  send(bytes: Uint8Array): void;
  assign(name: string | undefined, deviceType: string): DeviceAssignment;
  associate?(display: string): DeviceAssignment;
  ready(): void;
  /** The client is not a suitable 3270 terminal. `reason` is set if no device can be assigned. */
  unsuitable(reason: RejectReason | undefined): void;
}

type HostMode = 'negotiating' | 'tn3270' | 'tn3270e' | 'unsuitable';

const deviceTypes = /^IBM-(327[89]-[2-5](-E)?|DYNAMIC)$/i;
const printerTypes = /^IBM-3287-1$/i;

export function isPrinterType(deviceType: string): boolean {
  return printerTypes.test(deviceType);
}

const neededOfTerminal = [telnetOptions.endOfRecord, telnetOptions.binary];

/** The host's side of the negotiation, without socket or clock. Answers each command of the terminal at most once. */
export class HostNegotiation {
  readonly #options: HostNegotiationOptions;
  readonly #port: HostNegotiationPort;
  readonly #own = new OptionStates();
  readonly #terminals = new OptionStates();
  readonly #asked = new Set<string>();
  #mode: HostMode = 'negotiating';
  #functions: ReadonlySet<Tn3270eFunction> = new Set();
  #deviceType = '';
  #deviceName: string | undefined;

  constructor(options: HostNegotiationOptions, port: HostNegotiationPort) {
    this.#options = options;
    this.#port = port;
  }

  get mode(): HostMode {
    return this.#mode;
  }

  get functions(): ReadonlySet<Tn3270eFunction> {
    return this.#functions;
  }

  /** Upper-case, e.g. `IBM-3278-2-E`, `IBM-DYNAMIC`. */
  get deviceType(): string {
    return this.#deviceType;
  }

  get deviceName(): string | undefined {
    return this.#deviceName;
  }

  get isPrinter(): boolean {
    return this.#isPrinter(this.#deviceType);
  }

  start(): void {
    this.#ask('do', this.#options.tn3270e ? telnetOptions.tn3270e : telnetOptions.terminalType);
  }

  negotiation(verb: NegotiationVerb, option: number): void {
    if (option === telnetOptions.timingMark) {
      if (verb === 'do') this.#send('will', option);
      return;
    }
    const { ours, on } = verbMeanings[verb];
    const answered = this.#asked.delete(`${ours ? 'will' : 'do'} ${option}`);
    const side = ours ? this.#own : this.#terminals;
    const accepted = (ours ? own : terminals).has(option);
    if (on && !accepted) {
      this.#send(ours ? 'wont' : 'dont', option);
      return;
    }
    const changed = side.set(option, on);
    if (changed && !answered) this.#send(ours ? (on ? 'will' : 'wont') : on ? 'do' : 'dont', option);
    if (changed || answered) this.#optionChanged(option, ours, on);
  }

  #optionChanged(option: number, ours: boolean, on: boolean): void {
    if (ours) {
      this.#checkTn3270();
      return;
    }
    switch (option) {
      case telnetOptions.tn3270e:
        if (on) this.#sendTn3270e(tn3270eWords.send, tn3270eWords.deviceType);
        else if (this.#mode !== 'unsuitable') this.#fallBack();
        break;
      case telnetOptions.terminalType:
        if (on) this.#sendSubnegotiation([telnetOptions.terminalType, optionRequests.send]);
        else this.#refuse();
        break;
      default:
        if (on) this.#checkTn3270();
        else if (this.#mode === 'negotiating' && neededOfTerminal.some((one) => one === option)) this.#refuse();
    }
  }

  subnegotiation(body: Uint8Array): void {
    if (body[0] === telnetOptions.terminalType && body[1] === optionRequests.is) {
      this.#takeTerminalType(decodeName(body.subarray(2)));
    } else if (body[0] === telnetOptions.tn3270e && this.#terminals.isOn(telnetOptions.tn3270e)) {
      this.#takeTn3270e(body.subarray(1));
    }
  }

  #fallBack(): void {
    this.#mode = 'negotiating';
    this.#functions = new Set();
    this.#ask('do', telnetOptions.terminalType);
  }

  /** The type may be followed by the name of a logical unit (RFC 1646). */
  #takeTerminalType(text: string): void {
    if (this.#mode !== 'negotiating') return;
    const [type = '', name] = text.toUpperCase().split('@');
    if (!deviceTypes.test(type) && !this.#isPrinter(type)) {
      this.#refuse();
      return;
    }
    const assigned = this.#port.assign(name === '' ? undefined : name, type);
    if ('reject' in assigned) {
      this.#refuse(assigned.reject);
      return;
    }
    this.#deviceType = type;
    this.#deviceName = assigned.name;
    this.#ask('do', telnetOptions.endOfRecord);
    this.#ask('will', telnetOptions.endOfRecord);
    this.#ask('do', telnetOptions.binary);
    this.#ask('will', telnetOptions.binary);
    this.#checkTn3270();
  }

  #checkTn3270(): void {
    if (this.#mode !== 'negotiating' || this.#deviceType === '' || this.#terminals.isOn(telnetOptions.tn3270e)) return;
    if (!this.#terminals.allOn(neededOfTerminal) || !this.#own.allOn(neededOfTerminal)) return;
    this.#mode = 'tn3270';
    this.#port.ready();
  }

  #takeTn3270e(words: Uint8Array): void {
    const [first, second] = words;
    const rest = words.subarray(2);
    if (first === tn3270eWords.deviceType && second === tn3270eWords.request) this.#takeDeviceRequest(rest);
    else if (this.#deviceType === '') return;
    else if (first === tn3270eWords.functions && second === tn3270eWords.request) this.#takeFunctionsRequest(rest);
    else if (first === tn3270eWords.functions && second === tn3270eWords.is) this.#agree(decodeFunctions(rest));
  }

  /** `type`, `type CONNECT name` or `type ASSOCIATE name`. */
  #takeDeviceRequest(request: Uint8Array): void {
    const connect = request.indexOf(tn3270eWords.connect);
    const associate = request.indexOf(tn3270eWords.associate);
    const end = connect >= 0 ? connect : associate >= 0 ? associate : request.length;
    const type = decodeName(request.subarray(0, end)).toUpperCase();
    const name = decodeName(request.subarray(end + 1)).toUpperCase();
    const assigned = this.#assign(type, name, end === associate);
    if ('reject' in assigned) {
      this.#sendTn3270e(
        tn3270eWords.deviceType,
        tn3270eWords.reject,
        tn3270eWords.reason,
        rejectReasons[assigned.reject],
      );
      return;
    }
    this.#deviceType = type;
    this.#deviceName = assigned.name;
    const bytes = [...encodeName(type), tn3270eWords.connect, ...encodeName(assigned.name)];
    this.#sendTn3270e(tn3270eWords.deviceType, tn3270eWords.is, ...bytes);
  }

  #assign(type: string, name: string, isAssociated: boolean): DeviceAssignment {
    if (!deviceTypes.test(type) && !this.#isPrinter(type)) return { reject: 'invalidDeviceType' };
    if (!isAssociated) return this.#port.assign(name === '' ? undefined : name, type);
    const associated = this.#isPrinter(type) ? this.#port.associate?.(name) : undefined;
    return associated ?? { reject: 'invalidAssociation' };
  }

  #isPrinter(type: string): boolean {
    return this.#options.printerFunctions !== undefined && isPrinterType(type);
  }

  get #offered(): readonly Tn3270eFunction[] {
    const { functions, printerFunctions = [] } = this.#options;
    return this.isPrinter ? printerFunctions : functions;
  }

  #takeFunctionsRequest(codes: Uint8Array): void {
    const asked = decodeFunctions(codes);
    const common = new Set(this.#offered.filter((name) => asked.has(name)));
    const word = common.size === codes.length ? tn3270eWords.is : tn3270eWords.request;
    this.#sendTn3270e(tn3270eWords.functions, word, ...encodeFunctions(common));
    if (word === tn3270eWords.is) this.#agree(common);
  }

  #agree(functions: ReadonlySet<Tn3270eFunction>): void {
    if (this.#mode === 'tn3270e') return;
    this.#functions = new Set(this.#offered.filter((name) => functions.has(name)));
    this.#mode = 'tn3270e';
    this.#port.ready();
  }

  #refuse(reason?: RejectReason): void {
    if (this.#mode === 'unsuitable') return;
    this.#mode = 'unsuitable';
    this.#port.unsuitable(reason);
  }

  #ask(verb: 'do' | 'will', option: number): void {
    const side = verb === 'do' ? this.#terminals : this.#own;
    const key = `${verb} ${option}`;
    if (side.isOn(option) || this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#send(verb, option);
  }

  #send(verb: NegotiationVerb, option: number): void {
    this.#port.send(encodeNegotiation(verb, option));
  }

  #sendTn3270e(...words: number[]): void {
    this.#sendSubnegotiation([telnetOptions.tn3270e, ...words]);
  }

  #sendSubnegotiation(body: readonly number[]): void {
    this.#port.send(encodeSubnegotiation(Uint8Array.from(body)));
  }
}

const own: ReadonlySet<number> = new Set([
  telnetOptions.binary,
  telnetOptions.endOfRecord,
  telnetOptions.suppressGoAhead,
]);
const terminals: ReadonlySet<number> = new Set([
  telnetOptions.binary,
  telnetOptions.endOfRecord,
  telnetOptions.terminalType,
  telnetOptions.tn3270e,
  telnetOptions.suppressGoAhead,
]);
