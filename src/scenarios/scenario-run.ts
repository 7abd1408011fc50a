import type { Log } from '../lib/log/log.js';
import type { Metrics } from '../lib/metrics.js';
import type { StopSignal } from '../lib/stop-signal.js';
import type { ItemNames } from '../templates/render.js';
import type { NumericFault } from './map/area-text.js';
import type { NumericArea } from './map/mapping.js';
import type { OutboundCaller, OutboundRequest } from './outbound/outbound.js';
import { ScenarioAbendError } from './scenario-abend-error.js';
import type { ScenarioAnswer, ScenarioRequest } from './scenario-outcome.js';
import type { ScenarioScreen, ScreenRegion } from './scenario-screen.js';
import { type ScenarioTaps, ScenarioTrace, type WrittenTrace } from './scenario-trace.js';
import { noEffects, type ScenarioEnding } from './session-effects.js';
import type { SourcePlace, StartedKind } from './syntax.js';
import { type ScenarioValue, valueText } from './value.js';
import { type VariableLimits, VariableStore } from './variable-store.js';

/** Results of a step other than a jump; a jump returns the index of its target. */
export const flow = { next: -1, ended: -2, discarded: -3, succeeded: -4, failed: -5 } as const;

/** Executes one instruction. Returns a promise only if it waits for an external event. */
export type Instruction = (run: ScenarioRun) => number | Promise<number>;

export interface RenderedFile {
  readonly body: Buffer;
  readonly encoding: string;
  /** Set for a page with PDF-VARIABLE that was rendered as lines: the bytes are a PDF. */
  readonly isPdf?: true;
}

type ValuesOf = (variable: string) => readonly string[] | undefined;

export interface FileValues {
  readonly valuesOf: ValuesOf;
  readonly names: ItemNames;
  readonly codePage: string;
  /** TYPE=LINEBUFFER. */
  readonly asLines: boolean;
}

/** Renders a file of the template storage; undefined if it does not exist. Returns a promise if it reads from disk. */
export type RenderFile = (
  directory: string,
  file: string,
  values: FileValues,
) => RenderedFile | undefined | Promise<RenderedFile | undefined>;

export interface ScenarioPorts {
  readonly outbound: OutboundCaller;
  readonly renderFile: RenderFile;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, 'scenarioTruncated'> | undefined;
  readonly sinks?: ScenarioTaps;
}

export interface ScenarioLimits extends VariableLimits {
  /** Instructions per run, regardless of HANDLE$ LOOP. */
  readonly steps: number;
  readonly seconds: number;
}

export interface HttpOptions extends Omit<OutboundRequest, 'body' | 'traced'> {
  /** Variables: of the request body, of the reply body, of the HTTP status. */
  readonly fileOut: string | undefined;
  readonly fileIn: string | undefined;
  readonly returnCode: string | undefined;
}

interface Handler {
  readonly target: number;
  readonly performDepth: number;
}

interface LoopFrame {
  readonly loop: LoopDefinition;
  readonly values: readonly ScenarioValue[];
  readonly areas: readonly ScreenRegion[] | undefined;
  readonly performDepth: number;
  index: number;
}

const MOST_NESTED_PERFORMS = 3;
/** Per run. All are counted. */
const MOST_NUMERIC_FAULTS_LOGGED = 20;
const MOST_NUMERIC_FAULTS_TRACED = 20;

const numericFaultWords: Readonly<Record<NumericFault, string>> = {
  notNumeric: 'the value is not numeric, although the map declares it so',
  integerDigitsCut: 'the integer digits of the value do not fit into the area',
};
/** Without HANDLE$ LOOP, a run abends after this multiple of the number of instructions in its module. */
const LOOP_GUARD_FACTOR = 32;

export interface RunSurroundings {
  readonly kind: StartedKind;
  readonly screen: ScenarioScreen | undefined;
  /** Variables of the session; undefined: the run has its own. */
  readonly variables: VariableStore | undefined;
  readonly isFirstPass: boolean;
  readonly signOn: SignOnPort | undefined;
}

/** SET$ SIGNON: checks user and password, sets the new password if there is one, and signs the user on. */
type SignOnPort = (
  user: string,
  password: string,
  newPassword: string | undefined,
) => Promise<'signedOn' | 'refused' | 'unavailable' | 'newPasswordRefused'>;

/** State of one run. Only the variables of a session outlive the run. */
export class ScenarioRun {
  readonly variables: VariableStore;
  readonly httpOptions = new Map<string, HttpOptions>();
  /** Records of MAP$ FROM-… by the label of their structure, for MAP$ TO-VARIABLE. */
  readonly records = new Map<string, string>();
  /** NOT-FOUND condition of the last COPY$. */
  notFound = false;
  applicationTimeout = false;
  screenPosition: ScreenRegion | undefined;
  readonly effects = noEffects();
  ending: ScenarioEnding = 'end';
  directory: string;
  routingParameter: string;
  answer: ScenarioAnswer | undefined;
  outputEncoding = 'utf-8';
  abendHandler: Handler | undefined;
  loopHandler: Handler | undefined;
  /** Number of instructions at which the run abends as a loop. */
  loopGuard: number;
  steps = 0;
  trace: ScenarioTrace | undefined;
  /** Trace for operators; undefined if no operator traces the run. */
  written: WrittenTrace | undefined;
  at = 0;
  readonly #returns: number[] = [];
  readonly #loops: LoopFrame[] = [];
  /** Also set by a subroutine that a mapping called and that ended the whole scenario. */
  ended = false;
  #set = new Map<string, string[]>();
  readonly #numericFaults: string[] = [];
  readonly #loggedFaults = new Set<string>();

  constructor(
    readonly moduleName: string,
    instructionCount: number,
    readonly request: ScenarioRequest,
    readonly ports: ScenarioPorts,
    readonly limits: ScenarioLimits,
    /** Aborted when the client disconnects or the time limit of the run expires. */
    readonly signal: StopSignal,
    /** Current EBCDIC code page: DEFUTF8 of the configuration, then the code page of SET$ ENCODING. */
    public codePage: string,
    readonly surroundings: RunSurroundings,
    /** Executes a subroutine called by a mapping, up to its RETURN$. */
    readonly perform: (target: number) => Promise<void>,
  ) {
    this.variables = surroundings.variables ?? new VariableStore(limits);
    this.directory = request.directory;
    this.routingParameter = request.names.get('ROUTING-PARAMETER') ?? '';
    this.loopGuard = LOOP_GUARD_FACTOR * instructionCount;
  }

  /** @throws ScenarioAbendError if the run has no host session */
  get screen(): ScenarioScreen {
    const { screen } = this.surroundings;
    if (screen === undefined)
      throw new ScenarioAbendError('there is no host session: the transaction names no application');
    return screen;
  }

  /**
   * Inside a FOREACH$ over the variable its current value, otherwise its first value; undefined if it does not exist.
   */
  valueOf(name: string): ScenarioValue | undefined {
    return this.#currentLoopValue(name) ?? this.variables.values(name)?.[0];
  }

  textOfVariable(name: string): string | undefined {
    const value = this.valueOf(name);
    return value === undefined ? undefined : valueText(value);
  }

  /** Inside a FOREACH$ over the variable only its current value, otherwise all values. */
  copiedValuesOf(name: string): readonly ScenarioValue[] | undefined {
    const current = this.#currentLoopValue(name);
    return current === undefined ? this.variables.values(name) : [current];
  }

  textsFor(name: string): readonly string[] | undefined {
    return this.copiedValuesOf(name)?.map(valueText);
  }

  append(name: string, value: ScenarioValue): void {
    this.variables.append(name, value);
    this.#noteSet(name, value);
  }

  replace(name: string, value: ScenarioValue): void {
    this.variables.replace(name, [value]);
    this.#noteSet(name, value);
  }

  replaceAll(name: string, values: readonly ScenarioValue[]): void {
    this.variables.replace(name, values);
    for (const value of values) this.#noteSet(name, value);
  }

  /** COPY$: appends the values; with TYPE=REPLACE, replaces all values by the first. */
  copyTo(name: string, values: readonly ScenarioValue[], replace: boolean): void {
    const first = values[0];
    this.notFound = first === undefined;
    if (first === undefined) return;
    if (replace) this.replace(name, first);
    else for (const value of values) this.append(name, value);
  }

  enterSubroutine(returnTo: number): void {
    if (this.#returns.length >= MOST_NESTED_PERFORMS) {
      throw new ScenarioAbendError(`PERFORM$ is nested more than ${MOST_NESTED_PERFORMS} deep`);
    }
    this.#dropLeftLoops();
    this.#returns.push(returnTo);
  }

  /** @returns index of the instruction after the PERFORM$; undefined if no subroutine is active */
  returnFromSubroutine(): number | undefined {
    const target = this.#returns.pop();
    this.#dropLoops((frame) => frame.performDepth > this.#returns.length);
    return target;
  }

  get performDepth(): number {
    return this.#returns.length;
  }

  /** Leaves all subroutines and loops deeper than this PERFORM$ depth, after an abend. */
  unwindTo(depth: number): void {
    this.#returns.length = Math.min(this.#returns.length, depth);
    this.#dropLoops((frame) => frame.performDepth > depth);
  }

  enterLoop(loop: LoopDefinition, over?: readonly ScenarioValue[], areas?: readonly ScreenRegion[]): boolean {
    const depth = this.performDepth;
    this.#dropLeftLoops();
    this.#dropLoops((frame) => frame.performDepth === depth && frame.loop === loop);
    const values = over ?? this.variables.values(loop.variable);
    if (values === undefined || values.length === 0) return false;
    this.#loops.push({ loop, values: [...values], areas, performDepth: depth, index: 0 });
    this.screenPosition = areas?.[0] ?? this.screenPosition;
    return true;
  }

  advanceLoop(loop: LoopDefinition): boolean {
    const frame = this.loopFrame(loop);
    if (frame === undefined) return false;
    frame.index++;
    this.screenPosition = frame.areas?.[frame.index] ?? this.screenPosition;
    if (frame.index < frame.values.length) return true;
    this.#dropLoops((other) => other === frame);
    return false;
  }

  loopFrame(loop: LoopDefinition): LoopFrame | undefined {
    return this.#loops.findLast((frame) => frame.loop === loop);
  }

  /** Logs, counts and traces an area whose digits differ from the number in the document. Never logs the value. */
  noteNumericFault(structure: string, { name, length }: NumericArea, fault: NumericFault): void {
    const { log, metrics } = this.ports;
    metrics?.scenarioTruncated(this.moduleName);
    const words = `${name}: ${numericFaultWords[fault]}`;
    if (this.#numericFaults.length < MOST_NUMERIC_FAULTS_TRACED) this.#numericFaults.push(words);
    const key = `${structure} ${words}`;
    if (this.#loggedFaults.has(key) || this.#loggedFaults.size >= MOST_NUMERIC_FAULTS_LOGGED) return;
    this.#loggedFaults.add(key);
    log.warn(
      { requestId: this.request.requestId, module: this.moduleName, structure, element: name, length, fault },
      numericFaultWords[fault],
    );
  }

  takeNumericFaults(): readonly string[] {
    return this.#numericFaults.splice(0);
  }

  /** Removes and returns the variables set by the current step, including secrets, for traces. */
  takeSet(): ReadonlyMap<string, readonly string[]> {
    const set = this.#set;
    if (set.size > 0) this.#set = new Map();
    return set;
  }

  get isTraced(): boolean {
    return this.trace !== undefined || this.written !== undefined;
  }

  #currentLoopValue(name: string): ScenarioValue | undefined {
    if (this.#loops.length === 0) return undefined;
    const stored = this.variables.storedName(name);
    const frame = this.#loops.findLast(({ loop }) => this.variables.storedName(loop.variable) === stored);
    if (frame === undefined) return undefined;
    const live = frame.performDepth < this.performDepth || this.#isWithin(frame, this.at);
    return live ? frame.values[frame.index] : undefined;
  }

  /** False if a GOTO$ has left the loop. */
  #isWithin(frame: LoopFrame, index: number): boolean {
    return index > frame.loop.start && index <= frame.loop.end;
  }

  #dropLeftLoops(): void {
    const depth = this.performDepth;
    this.#dropLoops((frame) => frame.performDepth >= depth && !this.#isWithin(frame, this.at));
  }

  #dropLoops(dropped: (frame: LoopFrame) => boolean): void {
    for (let index = this.#loops.length - 1; index >= 0; index--) {
      const frame = this.#loops[index];
      if (frame !== undefined && dropped(frame)) this.#loops.splice(index, 1);
    }
  }

  #noteSet(name: string, value: ScenarioValue): void {
    if (!this.isTraced) return;
    const values = this.#set.get(name);
    if (values === undefined) this.#set.set(name, [valueText(value)]);
    else values.push(valueText(value));
  }
}

export function startTrace(run: ScenarioRun): void {
  run.trace ??= new ScenarioTrace();
}

export interface LoopDefinition {
  readonly label: string | undefined;
  readonly variable: string;
  readonly place: SourcePlace;
  readonly start: number;
  end: number;
}
