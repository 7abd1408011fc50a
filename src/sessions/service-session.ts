import { deviceRefusalWords } from '../../machines/device-refusal.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import { ServiceError } from '../lib/errors.js';
import type { Log } from '../lib/log/log.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { Conversation } from '../tn3270/conversation/conversation.js';
import { hostEndDetail } from '../tn3270/conversation/host-end-words.js';
import type { SessionLog } from '../tn3270/conversation/session-log.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import { playConnectionScript, type ScriptStep } from './connection-script.js';
import { playScriptOfScenario, type ScriptGround, scriptPort } from './script-port.js';
import { type ScriptEnd, ScriptedScreen } from './scripted-screen.js';
import { type SessionFacts, sessionLog } from './session-facts.js';
import type { SessionHost } from './session-host.js';

/** For the host's first screen, as for a browser's session (contract). */
const FIRST_SCREEN_MILLISECONDS = 5_000;
const LOGOFF_MILLISECONDS = 5_000;

/** The connection scripts of a transaction. */
interface ServiceScript {
  /** Played when the host session begins. */
  readonly once: readonly ScriptStep[];
  /** `&(` … `&)`: played for every request that the session serves; undefined: it serves one. */
  readonly repeated: readonly ScriptStep[] | undefined;
  readonly logoff: readonly ScriptStep[];
}

/** What a request behind the first one is served with where the script has no part that is repeated. */
const scenarioAlone: readonly ScriptStep[] = [{ kind: 'order', order: 'scenario' }];

interface ServiceSessionOptions {
  readonly facts: SessionFacts;
  readonly host: HostSessionOptions;
  readonly log: Log;
  readonly script: ServiceScript;
  /** Called once, when the host session is over. */
  readonly ended: (session: ServiceSession) => void;
}

/** What a request gives to the session that serves it. */
export interface ServiceRequest {
  readonly parameter: (name: string) => string | undefined;
  /** `&/S`. */
  readonly runScenario: (screen: ScriptedScreen, signal: StopSignal) => Promise<void>;
  readonly valuesOf: (variable: string) => readonly string[] | undefined;
}

/** A host session that no browser has: scenarios walk it for requests, one request at a time. */
export class ServiceSession {
  /** Times of `performance.now()`. */
  readonly begun = performance.now();
  #lastServed = this.begun;
  readonly screen: ScriptedScreen;
  #isUsed = false;
  readonly #conversation: Conversation;
  readonly #log: SessionLog;
  readonly #options: ServiceSessionOptions;
  #request: ServiceRequest | undefined;
  #isLeaving = false;

  constructor(options: ServiceSessionOptions) {
    this.#options = options;
    this.#conversation = new Conversation(options.host, {
      reached: () => this.#log.reached(),
      fault: ({ reason }, record) => this.#log.faulty(reason, record),
      silent: (reason) => reason !== undefined && this.#log.silent(reason),
      ended: (end) => {
        this.#log.ended(end.kind, hostEndDetail(end));
        options.ended(this);
      },
    });
    this.#log = sessionLog('scenario', options, this.#conversation);
    this.screen = new ScriptedScreen(this.#conversation, {
      playScript: (script, signal) => this.#playText(script, signal),
    });
  }

  get facts(): SessionFacts {
    return this.#options.facts;
  }

  /** Whether its script says that it serves more than one request. */
  get isForMore(): boolean {
    return this.#options.script.repeated !== undefined;
  }

  get isOpen(): boolean {
    return this.#conversation.end === undefined && !this.#isLeaving;
  }

  /** When a request was served last. */
  get lastServed(): number {
    return this.#lastServed;
  }

  /** By which log and operators name it. */
  get id(): string {
    return this.#conversation.id;
  }

  get isConnected(): boolean {
    return this.#conversation.isConnected;
  }

  get deviceName(): string | undefined {
    return this.#conversation.deviceName;
  }

  /**
   * Connects, and waits for the host's first screen; a host that is silent is not waited for longer.
   * @throws ServiceError SVC_ERR_HOST_REFUSED, SVC_ERR_HOST_PROTOCOL, SVC_ERR_HOST_DEVICE
   */
  async connect(signal: StopSignal): Promise<void> {
    const conversation = this.#conversation;
    conversation.connect();
    await conversation.settled({ withinMilliseconds: FIRST_SCREEN_MILLISECONDS, signal });
    const { end } = conversation;
    if (end !== undefined) throw refusalOf(end);
  }

  /** Serves a request by the connection script. */
  serve(request: ServiceRequest, signal: StopSignal): Promise<void> {
    const { once, repeated } = this.#options.script;
    const steps = this.#isUsed ? (repeated ?? scenarioAlone) : [...once, ...(repeated ?? [])];
    this.#isUsed = true;
    return this.#play(steps, request, signal);
  }

  async #play(steps: readonly ScriptStep[], request: ServiceRequest, signal: StopSignal): Promise<void> {
    this.#request = request;
    try {
      await playConnectionScript(steps, scriptPort(this.#ground(), signal));
    } finally {
      this.#lastServed = performance.now();
      this.#request = undefined;
    }
  }

  /** Plays the steps at logoff, and ends the host session; never rejects. */
  async leave(request: ServiceRequest): Promise<void> {
    if (!this.isOpen) return;
    this.#isLeaving = true;
    try {
      const { logoff } = this.#options.script;
      if (logoff.length > 0) await this.#play(logoff, request, AbortSignal.timeout(LOGOFF_MILLISECONDS));
    } catch (error) {
      this.#options.log.warn({ ...this.#logged, err: error }, 'a connection script failed');
    }
    this.stop();
  }

  /** Ends the host session at once. */
  stop(): void {
    this.#isLeaving = true;
    this.#conversation.stop();
  }

  get #logged(): object {
    return this.#log.subject;
  }

  #playText(script: string, signal: StopSignal): Promise<ScriptEnd> {
    const { codePage } = this.#options.host;
    return playScriptOfScenario(script, this.#ground(), (codes) => codePage.decode(codes), signal);
  }

  #ground(): ScriptGround {
    const conversation = this.#conversation;
    return {
      facts: this.facts,
      conversation,
      codePage: this.#options.host.codePage.name,
      logged: this.#logged,
      log: this.#options.log,
      isOver: () => conversation.end !== undefined,
      variable: (name) => this.#request?.valuesOf(name)?.[0] ?? this.#request?.parameter(name),
      show: () => undefined,
      runScenario: async (signal) => this.#request?.runScenario(this.screen, signal),
    };
  }
}

function refusalOf(end: HostSessionEnd): ServiceError {
  if (end.kind === 'deviceRefused')
    return new ServiceError('SVC_ERR_HOST_DEVICE', { detail: `the host refused ${deviceRefusalWords(end.refusals)}` });
  const detail = end.kind === 'failed' ? end.detail : 'the host ended the session';
  const isOtherProtocol = end.kind === 'failed' && end.isOtherProtocol === true;
  return new ServiceError(isOtherProtocol ? 'SVC_ERR_HOST_PROTOCOL' : 'SVC_ERR_HOST_REFUSED', { detail });
}

/** What a configuration says of the sessions of a transaction. */
export interface ServiceOrigin {
  readonly host: SessionHost | undefined;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
}

interface Waiting {
  readonly session: ServiceSession;
  readonly origin: ServiceOrigin;
  readonly timer: NodeJS.Timeout;
  readonly ends: () => void;
}

interface Given extends Pick<Waiting, 'session' | 'origin'> {
  readonly milliseconds: number;
  /** Called where no request comes in this time, or none that it may serve, or the server stops. */
  readonly ends: () => void;
}

/** The longest that a timer can take, some 25 days. */
const LONGEST_MILLISECONDS = 0x7fff_ffff;
/** For hosts to end their sessions as the server stops. */
const STOP_MILLISECONDS = 3_000;

/** The host sessions of service transactions that wait for their next request (ACTION$ SERVE-ANOTHER-USER, `&(` … `&)`). */
export class ServiceSessions {
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #all = new Set<ServiceSession>();
  /** By the keys of transactions; undefined: whatever comes is served. */
  #served: ReadonlyMap<string, ServiceOrigin> | undefined;
  #isStopping = false;
  #allEnded: (() => void) | undefined;

  /** Until their hosts are left. */
  get sessions(): readonly ServiceSession[] {
    return [...this.#all];
  }

  add(session: ServiceSession): void {
    this.#all.add(session);
  }

  /** A session is over. */
  remove(session: ServiceSession): void {
    this.#all.delete(session);
    this.#dismiss(session);
    if (this.#all.size === 0) this.#allEnded?.();
  }

  /** It waits no longer. */
  #dismiss(session: ServiceSession): void {
    for (const [key, list] of this.#waiting) {
      const at = list.findIndex((waiting) => waiting.session === session);
      if (at < 0) continue;
      clearTimeout(list[at]?.timer);
      list.splice(at, 1);
      if (list.length === 0) this.#waiting.delete(key);
    }
  }

  /** The configuration was exchanged: those that wait, and began with another host or script, are left. */
  serveOnly(served: ReadonlyMap<string, ServiceOrigin>): void {
    this.#served = served;
    for (const [key, list] of [...this.#waiting]) {
      for (const { session, origin, ends } of [...list]) {
        if (this.#isServed(key, origin)) continue;
        this.#dismiss(session);
        ends();
      }
    }
  }

  #isServed(key: string, origin: ServiceOrigin): boolean {
    if (this.#served === undefined) return true;
    const served = this.#served.get(key);
    return served !== undefined && isSame(served, origin);
  }

  /** One that waits and began alike, the one that was used last: the others may end by themselves. */
  take(key: string, origin: ServiceOrigin): ServiceSession | undefined {
    const list = this.#waiting.get(key);
    // a request may still be one of the configuration before
    if (!this.#isServed(key, origin)) return undefined;
    for (let waiting = list?.pop(); waiting !== undefined; waiting = list?.pop()) {
      clearTimeout(waiting.timer);
      if (waiting.session.isOpen) return waiting.session;
    }
    this.#waiting.delete(key);
    return undefined;
  }

  /** Keeps one for the next request, where that would begin alike. */
  give(key: string, { session, origin, milliseconds, ends }: Given): void {
    if (this.#isStopping || !this.#isServed(key, origin)) {
      ends();
      return;
    }
    const timer = setTimeout(
      () => {
        this.#dismiss(session);
        ends();
      },
      Math.min(milliseconds, LONGEST_MILLISECONDS),
    ).unref();
    const list = this.#waiting.get(key) ?? [];
    list.push({ session, origin, timer, ends });
    this.#waiting.set(key, list);
  }

  /** Ends all of them; resolves when their hosts are left, or have had their time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const list of this.#waiting.values()) for (const { timer } of list) clearTimeout(timer);
    this.#waiting.clear();
    if (this.#all.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOP_MILLISECONDS);
      this.#allEnded = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const session of [...this.#all]) session.stop();
    });
  }
}

/** By which the sessions of a transaction are found. */
export function serviceKey(entryPoint: string, transaction: string): string {
  return `${entryPoint} ${transaction}`;
}

/** A host whose settings are the same is the same object, whatever else is exchanged. */
function isSame(one: ServiceOrigin, other: ServiceOrigin): boolean {
  return one.host === other.host && one.tioaAtLogon === other.tioaAtLogon && one.tioaAtLogoff === other.tioaAtLogoff;
}
