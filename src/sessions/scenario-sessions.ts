import { deviceRefusalWords } from '../../machines/device-refusal.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import { ServiceError } from '../lib/errors.js';
import { publicDetail } from '../lib/locale.js';
import type { Log } from '../lib/log/log.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { Conversation } from '../tn3270/conversation/conversation.js';
import { hostEndDetail } from '../tn3270/conversation/host-end-words.js';
import type { SessionLog } from '../tn3270/conversation/session-log.js';
import type { HostSessionOptions } from '../tn3270/host/host-session-options.js';
import { playConnectionScript, type ScriptStep } from './connection-script.js';
import { detailOf } from './host-end.js';
import { playScriptOfScenario, type ScriptContext, scriptPort } from './script-port.js';
import { ScriptedScreen } from './scripted-screen.js';
import { type SessionFacts, sessionLog } from './session-facts.js';
import type { SessionHost } from './session-host.js';

const FIRST_SCREEN_MILLISECONDS = 5_000;
const LOGOFF_MILLISECONDS = 5_000;

interface ServiceScript {
  /** Steps for each host session. */
  readonly once: readonly ScriptStep[];
  /** Steps `&(` … `&)` for each request; undefined if the session serves only one request. */
  readonly repeated: readonly ScriptStep[] | undefined;
  readonly logoff: readonly ScriptStep[];
}

const scenarioAlone: readonly ScriptStep[] = [{ kind: 'order', order: 'scenario' }];

interface ServiceSessionOptions {
  readonly facts: SessionFacts;
  readonly host: HostSessionOptions;
  readonly log: Log;
  readonly script: ServiceScript;
  readonly ended: (session: ScenarioSession) => void;
}

export interface ServiceRequest {
  readonly parameter: (name: string) => string | undefined;
  /** Runs the scenario (`&/S`). */
  readonly runScenario: (screen: ScriptedScreen, signal: StopSignal) => Promise<void>;
  readonly valuesOf: (variable: string) => readonly string[] | undefined;
}

/** A host session without browser: scenarios serve requests in it, one at a time. */
export class ScenarioSession {
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
    this.screen = new ScriptedScreen(this.#conversation, (script, signal) =>
      playScriptOfScenario(script, this.#context(), signal),
    );
  }

  get facts(): SessionFacts {
    return this.#options.facts;
  }

  get isForMore(): boolean {
    return this.#options.script.repeated !== undefined;
  }

  get isOpen(): boolean {
    return this.#conversation.end === undefined && !this.#isLeaving;
  }

  get lastServed(): number {
    return this.#lastServed;
  }

  get conversation(): Pick<Conversation, 'id' | 'isConnected' | 'deviceName'> {
    return this.#conversation;
  }

  /**
   * Connects and waits a limited time for the host's first screen.
   * @throws ServiceError SVC_ERR_HOST_REFUSED, SVC_ERR_HOST_PROTOCOL, SVC_ERR_HOST_DEVICE
   */
  async connect(signal: StopSignal): Promise<void> {
    const conversation = this.#conversation;
    conversation.connect();
    await conversation.settled({ withinMilliseconds: FIRST_SCREEN_MILLISECONDS, signal });
    const { end } = conversation;
    if (end !== undefined) throw refusalOf(end);
  }

  serve(request: ServiceRequest, signal: StopSignal): Promise<void> {
    const { once, repeated } = this.#options.script;
    const steps = this.#isUsed ? (repeated ?? scenarioAlone) : [...once, ...(repeated ?? [])];
    this.#isUsed = true;
    return this.#play(steps, request, signal);
  }

  async #play(steps: readonly ScriptStep[], request: ServiceRequest, signal: StopSignal): Promise<void> {
    this.#request = request;
    try {
      await playConnectionScript(steps, scriptPort(this.#context(), signal));
    } finally {
      this.#lastServed = performance.now();
      this.#request = undefined;
    }
  }

  /** Plays the steps at logoff and ends the host session. Never rejects. */
  async leave(request: ServiceRequest): Promise<void> {
    if (!this.isOpen) return;
    this.#isLeaving = true;
    try {
      const { logoff } = this.#options.script;
      if (logoff.length > 0) await this.#play(logoff, request, AbortSignal.timeout(LOGOFF_MILLISECONDS));
    } catch (error) {
      this.#options.log.warn({ ...this.#log.subject, err: error }, 'a connection script failed');
    }
    this.stop();
  }

  stop(): void {
    this.#isLeaving = true;
    this.#conversation.stop();
  }

  #context(): ScriptContext {
    const conversation = this.#conversation;
    return {
      facts: this.facts,
      conversation,
      codePage: this.#options.host.codePage,
      logged: this.#log.subject,
      log: this.#options.log,
      isOver: () => conversation.end !== undefined,
      variable: (name) => this.#request?.valuesOf(name)?.[0] ?? this.#request?.parameter(name),
      show: () => undefined,
      runScenario: async (signal) => this.#request?.runScenario(this.screen, signal),
    };
  }
}

function refusalOf(end: HostSessionEnd): ServiceError {
  const detail = publicDetail(detailOf(end));
  if (end.kind === 'deviceRefused') {
    // the log names the devices
    const cause = new Error(`the host refused ${deviceRefusalWords(end.refusals)}`);
    return new ServiceError('SVC_ERR_HOST_DEVICE', { detail, cause });
  }
  const isOtherProtocol = end.kind === 'failed' && end.isOtherProtocol === true;
  return new ServiceError(isOtherProtocol ? 'SVC_ERR_HOST_PROTOCOL' : 'SVC_ERR_HOST_REFUSED', { detail });
}

/** Configuration that determines if waiting sessions can still be used. */
export interface ScenarioOrigin {
  readonly host: SessionHost | undefined;
  readonly tioaAtLogon: string;
  readonly tioaAtLogoff: string;
}

interface Waiting {
  readonly session: ScenarioSession;
  readonly origin: ScenarioOrigin;
  readonly timer: NodeJS.Timeout;
  readonly ends: () => void;
}

interface Given extends Pick<Waiting, 'session' | 'origin'> {
  readonly milliseconds: number;
  /** Called if no request takes the session in time, the configuration changes, or the server stops. */
  readonly ends: () => void;
}

/** Largest delay of a timer, about 25 days. */
const LONGEST_MILLISECONDS = 0x7fff_ffff;
const STOP_MILLISECONDS = 3_000;

/** Host sessions that wait for the next request of their transaction (ACTION$ SERVE-ANOTHER-USER, `&(` … `&)`). */
export class ScenarioSessions {
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #all = new Set<ScenarioSession>();
  /** By `serviceKey`; undefined if all transactions are served. */
  #served: ReadonlyMap<string, ScenarioOrigin> | undefined;
  #isStopping = false;
  #allEnded: (() => void) | undefined;

  get sessions(): readonly ScenarioSession[] {
    return [...this.#all];
  }

  add(session: ScenarioSession): void {
    this.#all.add(session);
  }

  remove(session: ScenarioSession): void {
    this.#all.delete(session);
    this.#dismiss(session);
    if (this.#all.size === 0) this.#allEnded?.();
  }

  #dismiss(session: ScenarioSession): void {
    for (const [key, list] of this.#waiting) {
      const at = list.findIndex((waiting) => waiting.session === session);
      if (at < 0) continue;
      clearTimeout(list[at]?.timer);
      list.splice(at, 1);
      if (list.length === 0) this.#waiting.delete(key);
    }
  }

  /** Call after a reload: ends waiting sessions whose host or script has changed. */
  serveOnly(served: ReadonlyMap<string, ScenarioOrigin>): void {
    this.#served = served;
    for (const [key, list] of [...this.#waiting]) {
      for (const { session, origin, ends } of [...list]) {
        if (this.#isServed(key, origin)) continue;
        this.#dismiss(session);
        ends();
      }
    }
  }

  #isServed(key: string, origin: ScenarioOrigin): boolean {
    if (this.#served === undefined) return true;
    const served = this.#served.get(key);
    return served !== undefined && isSame(served, origin);
  }

  /** Returns the most recently used waiting session, so that surplus sessions expire. */
  take(key: string, origin: ScenarioOrigin): ScenarioSession | undefined {
    const list = this.#waiting.get(key);
    // the request may still use the previous configuration
    if (!this.#isServed(key, origin)) return undefined;
    for (let waiting = list?.pop(); waiting !== undefined; waiting = list?.pop()) {
      clearTimeout(waiting.timer);
      if (waiting.session.isOpen) return waiting.session;
    }
    this.#waiting.delete(key);
    return undefined;
  }

  /** Keeps a session for the next request if the configuration still matches; otherwise calls `ends`. */
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

  /** Ends all sessions. Resolves when they have ended, or after STOP_MILLISECONDS. */
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

export function serviceKey(entryPoint: string, transaction: string): string {
  return `${entryPoint} ${transaction}`;
}

/** Compares hosts by identity: a reload keeps the object if the settings of a host are unchanged. */
function isSame(one: ScenarioOrigin, other: ScenarioOrigin): boolean {
  return one.host === other.host && one.tioaAtLogon === other.tioaAtLogon && one.tioaAtLogoff === other.tioaAtLogoff;
}
