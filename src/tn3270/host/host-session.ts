import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { Detail } from '../../lib/locale.js';
import { messageOf } from '../../lib/text/messages.js';
import type { DataStreamFault } from '../datastream/data-stream-handler.js';
import type { EncodedRecord } from '../screen/inbound-records.js';
import { Screen } from '../screen/screen.js';
import { decodeBindImage } from '../telnet/bind-image.js';
import { ClientNegotiation, type TelnetAgreement } from '../telnet/client-negotiation.js';
import { telnetCommands } from '../telnet/telnet-codes.js';
import { TelnetDecoder } from '../telnet/telnet-decoder.js';
import { encodeCommand, encodeData, encodeRecord } from '../telnet/telnet-encoder.js';
import {
  dataTypes,
  decodeTn3270eHeader,
  requestFlags,
  TN3270E_HEADER_BYTES,
  type Tn3270eHeader,
} from '../telnet/tn3270e-header.js';
import type { HostConnection, HostConnectionHandler } from './host-connection.js';
import { HostInput } from './host-input.js';
import { createHostSessionActor, FOR_EVER, type HostSessionActor, type HostSessionPort } from './host-session-actor.js';
import { type HostSessionListener, type HostSessionOptions, wishesOf } from './host-session-options.js';
import { hiddenRecord, maskRanges, SessionTraces } from './host-trace.js';
import { KeepAlive } from './keep-alive.js';
import { isTlsRecord, SilentHost } from './protocol-probe.js';
import { OutboundHeaders, positiveResponseTo, responseTo, unusableRecords } from './record-response.js';
import { SessionClock } from './session-clock.js';
import { StartTls } from './start-tls.js';

export class HostSession {
  readonly screen: Screen;
  readonly traces: SessionTraces;
  readonly #options: HostSessionOptions;
  readonly #listener: HostSessionListener;
  readonly #actor: HostSessionActor;
  readonly #decoder: TelnetDecoder;
  readonly #input: HostInput;
  readonly #negotiation: ClientNegotiation;
  #connection: HostConnection | undefined;
  #boundBy: Uint8Array | undefined;
  /** True after the event `host.partnerFound`, which is sent only once. */
  #hasPartner = false;
  readonly #headers = new OutboundHeaders();
  /** Answers to the record that is being processed; undefined between records. */
  #answers: EncodedRecord[] | undefined;
  readonly #startTls: StartTls;
  readonly #keepAlive: KeepAlive;
  readonly #clock: SessionClock | undefined;
  readonly #silence: SilentHost;
  #isUnheard = true;

  constructor(options: HostSessionOptions, listener: HostSessionListener) {
    this.#options = options;
    this.#listener = listener;
    this.traces = new SessionTraces(options.trace, options.codePage);
    this.#clock = options.metrics === undefined ? undefined : new SessionClock(options.metrics);
    this.#silence = new SilentHost(options.diagnoseSilence, (reason) => this.#listener.silent?.(reason));
    this.#keepAlive = new KeepAlive(options.keepAlive, (bytes) => this.#write(bytes));
    this.screen = new Screen(options.model, options.codePage, options.entryRules, {
      sendRecord: (record) => this.#send3270(record),
      sendServicesText: (bytes) => this.#sendTyped(dataTypes.sscpLuData, hiddenRecord(bytes)),
      sendLineData: (bytes) => this.#sendLine(bytes),
      sendLineCommand: (command) => this.#write(encodeCommand(telnetCommands[command])),
    });
    this.#startTls = new StartTls(options, {
      drop: () => this.#input.drop(),
      secured: ({ secured = '' }) => {
        this.traces.remark(`TLS (${secured})`);
        this.#negotiation.restart();
      },
      failed: (detail) => this.#fail(detail),
    });
    const guarded = this.#startTls.guard({
      record: (bytes) => this.#takeRecord(bytes),
      data: (bytes) => this.#takeLineData(bytes),
      negotiation: (verb, option) => this.#negotiation.negotiation(verb, option),
      subnegotiation: (body) => this.#negotiation.subnegotiation(body),
      command: () => undefined,
      tooLong: (what) => this.#refuseRecord(unusableRecords.tooLong(what), NOTHING),
    });
    this.#decoder = new TelnetDecoder(this.traces.overhear(this, guarded));
    this.#input = new HostInput(this.#decoder);
    this.#negotiation = new ClientNegotiation(wishesOf(options), {
      send: (bytes) => this.#write(bytes),
      changed: () => this.#negotiated(),
      startTls: () => this.#startTls.begin(this.#connection),
      deviceRefused: (refusals) => this.#actor.send({ type: 'host.deviceRefused', refusals }),
    });
    this.#actor = createHostSessionActor(this.#port());
    this.#actor.subscribe({
      next: ({ value }) => this.#clock?.moved(value),
      error: (error) => {
        this.#clock?.moved('closed');
        this.#listener.ended({ kind: 'failed', detail: String(error) });
      },
      complete: () => this.#listener.ended(this.#endOf(this.#actor.getSnapshot().context.end)),
    });
    this.#actor.start();
  }

  connect(): void {
    this.#actor.send({ type: 'operator.connect' });
  }

  stop(): void {
    this.#actor.send({ type: 'operator.stop' });
  }

  get mode() {
    return this.#negotiation.mode;
  }

  get agreed(): TelnetAgreement {
    return this.#negotiation.agreement;
  }

  get deviceName(): string | undefined {
    return this.#negotiation.deviceName;
  }

  /** Name of the primary logical unit in the BIND, in EBCDIC. */
  get boundBy(): Uint8Array | undefined {
    return this.#boundBy;
  }

  /** Protocol and cipher; undefined without TLS. */
  get secured(): string | undefined {
    return this.#connection?.secured;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** ATTN: interrupts the application (RFC 2355, section 13). */
  attention(): void {
    this.#write(encodeCommand(telnetCommands[this.mode === 'tn3270e' ? 'interruptProcess' : 'break']));
  }

  interrupt(): void {
    this.#write(encodeCommand(telnetCommands.interruptProcess));
  }

  /** SYS REQ: switches between the application and the host's services (RFC 2355, section 11). */
  systemRequest(): void {
    const { partner } = this.screen;
    if (partner === 'unbound') return;
    const isCommand = this.#negotiation.functions.has('sysReq');
    if (isCommand) this.#write(encodeCommand(telnetCommands.abortOutput));
    else this.screen.pressSystemRequest();
    // switch at once: the host may send nothing before the user types
    if (isCommand && partner === 'application') this.#meet('services');
    else if (isCommand && partner === 'services' && this.#partnerOfBind === 'application') this.#meet('application');
    this.#listener.changed();
  }

  get #partnerOfBind(): 'unbound' | 'application' {
    return this.#negotiation.functions.has('bindImage') && this.#boundBy === undefined ? 'unbound' : 'application';
  }

  #port(): HostSessionPort {
    const { negotiationMilliseconds, connect, leavesAtOnce = false } = this.#options;
    return {
      negotiationMilliseconds: negotiationMilliseconds ?? FOR_EVER,
      connect: async (signal) => {
        const connection = await connect(this.#handler(), signal);
        if (signal.aborted) connection.destroy();
        else this.#connected(connection);
      },
      endConnection: () => {
        // if data arrives on a closed connection, the host may discard input that it has not read yet
        const mayBeUnread = !leavesAtOnce && this.screen.state.operator.waitingForHost;
        if (mayBeUnread) this.#connection?.end();
        else this.#connection?.leave();
      },
      release: () => this.#release(),
    };
  }

  #handler(): HostConnectionHandler {
    return {
      take: (chunk, mayGoOn) => this.#take(chunk, mayGoOn),
      goOn: (mayGoOn) => this.#carryOut(() => this.#input.goOn(mayGoOn)),
      ended: () => this.#hostEnded(),
      failed: (fault) => this.#actor.send({ type: 'host.failed', detail: fault.detail }),
    };
  }

  #hostEnded(): void {
    const { refusal } = this.#negotiation;
    if (this.#startTls.isMissing) this.#startTls.missing({ code: 'startTls.closed' });
    if (this.#decoder.isWithinRecord) this.#fail({ code: 'end.cutInRecord' });
    if (refusal !== undefined) this.#actor.send({ type: 'host.deviceRefused', refusals: [refusal] });
    this.#actor.send({ type: 'host.ended' });
  }

  #connected(connection: HostConnection): void {
    this.#connection = connection;
    if (connection.secured !== undefined) this.#negotiation.secured();
    this.#startTls.connected(connection);
    this.traces.remark(`connected${connection.secured === undefined ? '' : ` (${connection.secured})`}`);
    this.#keepAlive.start();
    if (connection.secured === undefined) this.#silence.begin();
    connection.start();
    if (this.#options.isLineTerminal === true) this.#meet('line');
    this.#listener.changed();
  }

  #take(chunk: Uint8Array, mayGoOn: () => boolean): boolean {
    this.#keepAlive.traffic();
    this.traces.received(chunk);
    if (this.#isUnheard) this.#heard(chunk);
    return this.#carryOut(() => this.#input.take(chunk, mayGoOn));
  }

  #carryOut(carryOut: () => boolean): boolean {
    const connection = this.#connection;
    connection?.cork();
    this.#clock?.hostSpeaks();
    let isDone = true;
    try {
      isDone = carryOut();
    } catch (error) {
      // a programming error ends only this session
      this.#fail(`the session failed: ${messageOf(error)}`);
    } finally {
      connection?.uncork();
    }
    this.#clock?.hostHasSpoken(this.screen.state.operator.waitingForHost);
    this.#listener.changed();
    return isDone;
  }

  #negotiated(): void {
    this.#decoder.gathersRecords = this.#negotiation.gathersRecords;
    this.screen.hostEchoes = this.#negotiation.hostEchoes;
    const { partner } = this.screen;
    if (this.mode === 'tn3270') {
      this.#meet('application');
    } else if (this.mode === 'tn3270e') {
      if (partner === 'none') this.#meet(this.#partnerOfBind);
    } else if (partner !== 'line') {
      this.#boundBy = undefined;
      this.screen.setPartner('none');
    }
  }

  #meet(partner: 'unbound' | 'application' | 'services' | 'line'): void {
    this.screen.setPartner(partner);
    if (!this.#hasPartner) this.#actor.send({ type: 'host.partnerFound' });
    this.#hasPartner = true;
  }

  #takeLineData(bytes: Uint8Array): void {
    if (this.mode === 'tn3270eNegotiating') return;
    if (this.screen.partner !== 'line') this.#meet('line');
    this.#listener.lineData?.(bytes);
    this.screen.receiveLineData(bytes);
  }

  /** Records received before the negotiation has ended are ignored. */
  #takeRecord(bytes: Uint8Array): void {
    if (this.mode === 'tn3270') this.#draw(bytes);
    // empty records are ignored, as without TN3270E
    if (this.mode !== 'tn3270e' || bytes.length === 0) return;
    const header = decodeTn3270eHeader(bytes);
    if (header === undefined) this.#refuseRecord(unusableRecords.short, bytes);
    else this.#takeTn3270e(header, bytes.subarray(TN3270E_HEADER_BYTES));
  }

  #refuseRecord(fault: DataStreamFault, bytes: Uint8Array): void {
    if (this.screen.partner === 'application') this.screen.checkProgram(fault.programCheck);
    this.#listener.fault(fault, bytes);
  }

  #takeTn3270e(header: Tn3270eHeader, body: Uint8Array): void {
    switch (header.dataType) {
      case dataTypes.data3270:
        this.#take3270(header, body);
        break;
      case dataTypes.bindImage:
        this.#bind(body);
        break;
      case dataTypes.unbind:
        this.#unbind();
        break;
      case dataTypes.nvtData:
        this.#meet('line');
        this.#input.drawInPieces(body, (piece) => {
          this.#listener.lineData?.(piece);
          this.screen.receiveLineData(piece, true);
        });
        break;
      case dataTypes.sscpLuData:
        this.#meet('services');
        this.screen.receiveServicesText(body);
        break;
      case dataTypes.bid:
        this.#bid(header);
        break;
      default:
        // displays ignore printer data, responses and requests
        break;
    }
  }

  #take3270(header: Tn3270eHeader, body: Uint8Array): void {
    if (this.#partnerOfBind === 'unbound') return;
    this.#meet('application');
    this.#answers = [];
    const { operator } = this.screen.state;
    const flags = this.#resolvesContention ? header.requestFlag : requestFlags.sendData;
    const hadTurn = !operator.hostHasTurn && !operator.waitingForHost;
    operator.hostHasTurn = (flags & requestFlags.sendData) === 0;
    const fault = this.#draw(body, (flags & requestFlags.keyboardRestore) !== 0);
    const answers = this.#answers;
    this.#answers = undefined;
    // send the response before the data that the record requested
    this.#respond(header, fault);
    for (const answer of answers) this.#send3270(answer);
    if (hadTurn && (flags & requestFlags.signal) !== 0) this.#yieldTurn();
  }

  get #resolvesContention(): boolean {
    return this.#negotiation.functions.has('contentionResolution');
  }

  /** BID: the application starts to send. The keyboard stays locked until SEND-DATA. */
  #bid(header: Tn3270eHeader): void {
    if (!this.#resolvesContention) return;
    const { state } = this.screen;
    state.operator.hostHasTurn = true;
    state.revision++;
    this.#write(positiveResponseTo(header));
  }

  /** SIGNAL: the application requests the turn. As in SNA, an empty data record passes it. */
  #yieldTurn(): void {
    const { state } = this.screen;
    if (state.operator.waitingForHost && !state.operator.hostHasTurn) return;
    state.operator.hostHasTurn = true;
    state.revision++;
    this.#sendTyped(dataTypes.data3270, { bytes: NOTHING, nonDisplayable: [] });
  }

  #draw(record: Uint8Array, restores = false): DataStreamFault | undefined {
    const fault = this.screen.receive(record, restores);
    if (fault !== undefined) this.#listener.fault(fault, record);
    return fault;
  }

  #respond(header: Tn3270eHeader, fault: DataStreamFault | undefined): void {
    const response = responseTo(header, fault?.sense);
    if (response !== undefined) this.#write(response);
  }

  #bind(body: Uint8Array): void {
    const image = decodeBindImage(body);
    if (image === undefined || !this.#negotiation.functions.has('bindImage')) return;
    this.#boundBy = image.primaryName;
    this.screen.state.operator.hostHasTurn = false;
    this.#meet('application');
    this.screen.bind(image.sizes);
  }

  #unbind(): void {
    if (!this.#negotiation.functions.has('bindImage')) return;
    this.#boundBy = undefined;
    this.#meet('unbound');
    this.screen.unbind();
  }

  #send3270(record: EncodedRecord): void {
    if (this.#answers === undefined) this.#clock?.sent();
    if (this.#answers !== undefined) this.#answers.push(record);
    else if (this.mode === 'tn3270') this.#writeRecord(record, undefined);
    else this.#sendTyped(dataTypes.data3270, record);
  }

  #sendTyped(dataType: number, record: EncodedRecord): void {
    this.#writeRecord(record, this.#headers.next(dataType, this.#negotiation.functions.has('responses')));
  }

  #sendLine(bytes: Uint8Array): void {
    const record = hiddenRecord(bytes);
    if (this.mode === 'tn3270e') this.#sendTyped(dataTypes.nvtData, record);
    else this.#write(encodeData(bytes), () => encodeData(maskRanges(bytes, record.nonDisplayable)));
  }

  #writeRecord({ bytes, nonDisplayable }: EncodedRecord, header: Uint8Array | undefined): void {
    this.#write(encodeRecord(bytes, header), () => encodeRecord(maskRanges(bytes, nonDisplayable), header));
    this.traces.sentRecord(header, () => maskRanges(bytes, nonDisplayable), this.screen);
  }

  #write(bytes: Uint8Array, traced = () => bytes): void {
    if (this.#connection === undefined || !this.#startTls.maySend(bytes)) return;
    this.#keepAlive.traffic();
    this.traces.sent(traced);
    this.#connection.write(bytes);
  }

  #heard(chunk: Uint8Array): void {
    this.#isUnheard = false;
    const isTls = this.secured === undefined && isTlsRecord(chunk);
    if (!isTls) this.#silence.spoke();
    else this.#actor.send({ type: 'host.failed', detail: this.#silence.reason ?? tlsOnPlain, isOtherProtocol: true });
  }

  #endOf(end: HostSessionEnd | undefined): HostSessionEnd {
    const { reason } = this.#silence;
    const isOfSilence = end?.kind === 'silent' || end?.kind === 'hostEnded';
    if (isOfSilence && reason !== undefined) return { kind: 'failed', detail: reason, isOtherProtocol: true };
    return this.#startTls.endOf(end);
  }

  #fail(detail: Detail): void {
    this.#actor.send({ type: 'host.failed', detail });
  }

  #release(): void {
    this.#listener.ending?.();
    this.#silence.end();
    this.#keepAlive.stop();
    this.#input.drop();
    this.#connection?.destroy();
    this.#connection = undefined;
    this.screen.setPartner('none');
    this.traces.remark('closed');
  }
}

const NOTHING = new Uint8Array(0);

const tlsOnPlain: Detail = { code: 'connection.tlsOnPlain' };
