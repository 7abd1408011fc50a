import { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { Transaction } from '../../lines/entry-point/transaction.js';
import type { ScenarioAnswer, ScenarioOutcome, ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { ScriptedScreen } from '../../sessions/scripted-screen.js';
import type { SessionScenarioEnd, SessionScenarioKind, SessionScenarios } from '../../sessions/session-facts.js';
import type { PageDeclarations } from '../../templates/page-declarations.js';
import type { Answer } from '../http/answer.js';
import type { ClientSite } from '../http/client-site.js';
import { answerPolicy, withPolicy } from '../http/content-security-policy.js';
import { attachmentDisposition, dynamicHeaders, nextMidnight } from '../http/response-headers.js';

const noScenarios: SessionScenarios = {
  has: () => false,
  run: async () => undefined,
  valuesOf: () => undefined,
  userResponded: () => {},
};

export class SessionScenarioRuns implements SessionScenarios {
  readonly #site: Pick<ClientSite, 'scenarios' | 'log'>;
  readonly #transaction: Transaction;
  readonly #givenUp = new Set<SessionScenarioKind>();
  readonly #hasRun = new Set<SessionScenarioKind>();
  #variables;
  /** Variables after the INITIAL scenario, kept for the whole session. */
  #kept;
  #page: string | undefined;
  #temporaryPage: string | undefined;
  #answer: ScenarioAnswer | undefined;
  #trace: string | undefined;
  readonly #declared = new Map<SessionScenarioKind, PageDeclarations>();
  request: ScenarioRequest;

  constructor(site: Pick<ClientSite, 'scenarios' | 'log'>, transaction: Transaction, request: ScenarioRequest) {
    this.#site = site;
    this.#transaction = transaction;
    this.request = request;
    this.#variables = site.scenarios.newVariables();
    this.#kept = this.#variables.copy();
    for (const kind of ['INPUT', 'OUTPUT'] as const) {
      const module = this.#moduleOf(kind);
      if (module === undefined || this.has(kind)) continue;
      site.log.warn({ transaction: transaction.externalName, module }, `there is no assembled ${kind} scenario`);
    }
  }

  has(kind: SessionScenarioKind): boolean {
    const module = this.#moduleOf(kind);
    return module !== undefined && !this.#givenUp.has(kind) && this.#startedKind(module, kind) !== undefined;
  }

  async run(
    kind: SessionScenarioKind,
    screen: ScriptedScreen,
    signal: StopSignal,
  ): Promise<SessionScenarioEnd | undefined> {
    const module = this.#moduleOf(kind);
    if (module === undefined || this.#givenUp.has(kind)) return undefined;
    const isFirstPass = !this.#hasRun.has(kind);
    this.#hasRun.add(kind);
    this.#declared.delete(kind);
    try {
      const { outcome, ending, effects } = await this.#site.scenarios.run(
        module,
        this.#startedKind(module, kind) ?? kind,
        this.request,
        signal,
        { screen, variables: this.#variables, isFirstPass },
      );
      if (ending === 'discard') this.#givenUp.add(kind);
      this.#page = effects.page ?? this.#page;
      this.#temporaryPage = effects.temporaryPage ?? this.#temporaryPage;
      if (effects.declarations !== undefined) this.#declared.set(kind, effects.declarations);
      this.#take(outcome);
      if (kind === 'INITIAL') this.#kept = this.#variables.copy();
      return { ...effects, ending };
    } catch (error) {
      // a connection script must not continue after a failed scenario
      if (kind === 'INITIAL' || kind === 'FINAL' || signal.aborted) throw error;
      if (error instanceof ServiceError && error.code === 'SVC_ERR_SCENARIO_REFUSED') throw error;
      this.#givenUp.add(kind);
      const { requestId } = this.request;
      this.#site.log.error(
        { requestId, transaction: this.#transaction.externalName, module, err: error },
        `the ${kind} scenario abended: its session continues without it`,
      );
      return undefined;
    }
  }

  valuesOf(variable: string): readonly string[] | undefined {
    return this.#variables.texts(variable);
  }

  userResponded(): void {
    this.#variables = this.#kept.copy();
    this.#answer = undefined;
    this.#declared.delete('INPUT');
    this.#declared.delete('OUTPUT');
  }

  /** For generated pages. Later elements have precedence: OUTPUT over INPUT over INITIAL. */
  get declarations(): PageDeclarations {
    const declared = (['INITIAL', 'INPUT', 'OUTPUT'] as const).flatMap((kind) => this.#declared.get(kind) ?? []);
    return { areas: declared.flatMap(({ areas }) => areas), fields: declared.flatMap(({ fields }) => fields) };
  }

  get trace(): string | undefined {
    return this.#trace;
  }

  /** Page chosen by scenarios; a temporary page is used once. */
  takePage(): string | undefined {
    const page = this.#temporaryPage ?? this.#page;
    this.#temporaryPage = undefined;
    return page;
  }

  takeAnswer(): ScenarioAnswer | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }

  #take(outcome: ScenarioOutcome): void {
    if (outcome.kind === 'answer') this.#answer = outcome;
    else this.#trace = outcome.trace;
  }

  #moduleOf(kind: SessionScenarioKind): string | undefined {
    const { initialScenario, inputScenario, outputScenario, finalScenario } = this.#transaction;
    return { INITIAL: initialScenario, INPUT: inputScenario, OUTPUT: outputScenario, FINAL: finalScenario }[kind];
  }

  /** A module for FINAL without a FINAL scenario uses its INITIAL scenario. */
  #startedKind(module: string, kind: SessionScenarioKind): SessionScenarioKind | undefined {
    const { scenarios } = this.#site;
    if (scenarios.has(module, kind)) return kind;
    return kind === 'FINAL' && scenarios.has(module, 'INITIAL') ? 'INITIAL' : undefined;
  }
}

/** @param request kept during the whole session if its transaction has a scenario */
export function sessionScenarios(
  site: Pick<ClientSite, 'scenarios' | 'log'>,
  transaction: Transaction,
  request: ScenarioRequest,
): SessionScenarios {
  const { initialScenario, inputScenario, outputScenario, finalScenario } = transaction;
  const hasNone = (initialScenario ?? inputScenario ?? outputScenario ?? finalScenario) === undefined;
  return hasNone ? noScenarios : new SessionScenarioRuns(site, transaction, request);
}

export function scenarioRunsOf(session: BrowserSession): SessionScenarioRuns | undefined {
  const { scenarios } = session.options;
  return scenarios instanceof SessionScenarioRuns ? scenarios : undefined;
}

/** Answer sent by a scenario (SEND$ AS-ANSWER, SEND$ AS-FILE). */
export function scenarioAnswer(
  { contentType, body, expires, fileName }: ScenarioAnswer,
  contentSecurityPolicy: string = answerPolicy,
): Answer {
  const expiry = expires === 'endOfDay' ? nextMidnight(new Date()) : '0';
  const headers = dynamicHeaders(contentType, body.length, expiry);
  if (fileName !== undefined) headers.push('Content-Disposition', attachmentDisposition(fileName));
  return { status: 200, headers: withPolicy(headers, contentSecurityPolicy), body };
}
