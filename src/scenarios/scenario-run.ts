import type { Log } from '../lib/log/log.js';
import type { Measures } from '../lib/measures.js';
import type { StopSignal } from '../lib/stop-signal.js';
import type { ItemNames } from '../templates/render.js';
import type { NumericFault } from './map/area-text.js';
import type { NumericArea } from './map/mapping.js';
import type { OutboundCaller } from './outbound/outbound.js';
import { ScenarioAbendError } from './scenario-abend-error.js';
import type { ScenarioAnswer, ScenarioRequest } from './scenario-outcome.js';
import { type ScenarioTaps, ScenarioTrace, type WrittenTrace } from './scenario-trace.js';
import type { ScreenArea, ScreenPort } from './screen-port.js';
import { noEffects, type ScenarioEnding } from './session-effects.js';
import type { SourcePlace, StartedKind } from './syntax.js';
import { textOf, type Value } from './value.js';
import { VariableStore } from './variable-store.js';

/** What a step says of how the run goes on: an index of the step to jump to, or one of `flow`. */
export const flow = { next: -1, ended: -2, discarded: -3, succeeded: -4, failed: -5 } as const;

/** Does one instruction. Synchronous but for those that wait for the outside. */
export type Step = (run: ScenarioRun) => number | Promise<number>;

/** A template rendered to bytes, with the encoding they are in. */
export interface RenderedFile {
  readonly body: Buffer;
  readonly encoding: string;
  /** Rendered as lines, a page with PDF-VARIABLE is a PDF. */
  readonly isPdf?: true;
}

/** The variables as a template sees them. */
type ValuesOf = (variable: string) => readonly string[] | undefined;

/** What a file is rendered with. */
export interface FileValues {
  readonly valuesOf: ValuesOf;
  readonly names: ItemNames;
  readonly codePage: string;
  /** TYPE=LINEBUFFER. */
  readonly asLines: boolean;
}

/** Renders a file of the template storage; undefined if there is none. A promise where the disk must be looked at. */
export type RenderFile = (
  directory: string,
  file: string,
  values: FileValues,
) => RenderedFile | undefined | Promise<RenderedFile | undefined>;

/** What a run needs of the outside. */
export interface ScenarioPorts {
  readonly outbound: OutboundCaller;
  readonly renderFile: RenderFile;
  readonly log: Log;
  /** Undefined: nobody counts. */
  readonly measures?: Pick<Measures, 'scenarioTruncated'> | undefined;
  /** Where operators trace runs; undefined: they never do. */
  readonly taps?: ScenarioTaps;
}

export interface ScenarioLimits {
  /** Instructions that a run may execute, whatever HANDLE$ LOOP says. */
  readonly steps: number;
  /** The longest that a run may take. */
  readonly seconds: number;
  readonly variableBytes: number;
  readonly values: number;
  readonly variables: number;
}

/** The options of an outbound HTTP call that OPTION$ FOR-HTTP has put together. */
export interface HttpOptions {
  readonly method: string;
  readonly site: string | undefined;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Variables: of the request body, of the reply body, of the HTTP status. */
  readonly fileOut: string | undefined;
  readonly fileIn: string | undefined;
  readonly returnCode: string | undefined;
}

/** Where HANDLE$ lets a run go on, and how deep in PERFORM$ that place is. */
interface Handler {
  readonly target: number;
  readonly performDepth: number;
}

interface LoopFrame {
  readonly loop: LoopDefinition;
  readonly values: readonly Value[];
  /** Of a loop over the screen: where each value stands. */
  readonly areas: readonly ScreenArea[] | undefined;
  readonly performDepth: number;
  index: number;
}

const MOST_NESTED_PERFORMS = 3;
/** Of one run; every one is counted. */
const MOST_NUMERIC_FAULTS_LOGGED = 20;
/** Of one instruction. */
const MOST_NUMERIC_FAULTS_TRACED = 20;

const numericFaultWords: Readonly<Record<NumericFault, string>> = {
  notNumeric: 'the value is not numeric, although the map declares it so',
  integerDigitsCut: 'the integer digits of the value do not fit into the area',
};
/** Without HANDLE$ LOOP a run is abended after this many times the number of its module's instructions. */
const LOOP_GUARD_FACTOR = 32;

/** The session that a run belongs to; missing for requests without one. */
export interface RunSurroundings {
  readonly kind: StartedKind;
  /** The host session; undefined: there is none. */
  readonly screen: ScreenPort | undefined;
  /** The variables of the session; undefined: the run has its own. */
  readonly variables: VariableStore | undefined;
  /** IF$ FIRST-PASS. */
  readonly isFirstPass: boolean;
  readonly signOn: SignOnPort | undefined;
}

/**
 * Checks user and password, sets the new password where there is one, and remembers who it was where all that was right
 * (SET$ SIGNON).
 */
type SignOnPort = (
  user: string,
  password: string,
  newPassword: string | undefined,
) => Promise<'signedOn' | 'refused' | 'unavailable' | 'newPasswordRefused'>;

/** The state of one run of a scenario. Nothing of it outlives the run but the variables of a session. */
export class ScenarioRun {
  readonly variables: VariableStore;
  readonly httpOptions = new Map<string, HttpOptions>();
  /** Records that MAP$ FROM-… has made, by the label of their structure, until MAP$ TO-VARIABLE takes them. */
  readonly records = new Map<string, string>();
  /** The NOT-FOUND condition of the last COPY$. */
  notFound = false;
  /** The APPLICATION-TIMEOUT condition of the last ACTION$ TO-APPLICATION. */
  applicationTimeout = false;
  /** CURRENT-SCREEN-POSITION. */
  screenPosition: ScreenArea | undefined;
  readonly effects = noEffects();
  ending: ScenarioEnding = 'end';
  directory: string;
  routingParameter: string;
  answer: ScenarioAnswer | undefined;
  /** Encoding of what the run sends as text. */
  outputEncoding = 'utf-8';
  abendHandler: Handler | undefined;
  loopHandler: Handler | undefined;
  /** Instructions after which the loop guard strikes. */
  loopGuard: number;
  steps = 0;
  trace: ScenarioTrace | undefined;
  /** Of operators; undefined: none of them traces the run. */
  written: WrittenTrace | undefined;
  /** Index of the instruction being executed. */
  at = 0;
  readonly #returns: number[] = [];
  readonly #loops: LoopFrame[] = [];
  /** Set where a subroutine that a mapping called has ended the whole scenario. */
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
    /** Aborted when the client goes away or the time of the run is over. */
    readonly signal: StopSignal,
    /** The EBCDIC code page in force: the configuration's DEFUTF8, then that of SET$ ENCODING. */
    public codePage: string,
    readonly surroundings: RunSurroundings,
    /** Executes a subroutine that a mapping calls, up to its RETURN$. */
    readonly perform: (target: number) => Promise<void>,
  ) {
    this.variables = surroundings.variables ?? new VariableStore(limits);
    this.directory = request.directory;
    this.routingParameter = request.names.get('ROUTING-PARAMETER') ?? '';
    this.loopGuard = LOOP_GUARD_FACTOR * instructionCount;
  }

  /** @throws ScenarioAbendError if the run has no host session */
  get screen(): ScreenPort {
    const { screen } = this.surroundings;
    if (screen === undefined)
      throw new ScenarioAbendError('there is no host session: the transaction names no application');
    return screen;
  }

  /** The current value inside a FOREACH$ over the variable, else its first; undefined if there is none. */
  valueOf(name: string): Value | undefined {
    return this.#currentLoopValue(name) ?? this.variables.values(name)?.[0];
  }

  textOfVariable(name: string): string | undefined {
    const value = this.valueOf(name);
    return value === undefined ? undefined : textOf(value);
  }

  /** The values a copy takes: the current one inside a FOREACH$ over the variable, else all. */
  copiedValuesOf(name: string): readonly Value[] | undefined {
    const current = this.#currentLoopValue(name);
    return current === undefined ? this.variables.values(name) : [current];
  }

  /** The variables as a template sees them that is rendered in the middle of the run. */
  textsFor(name: string): readonly string[] | undefined {
    return this.copiedValuesOf(name)?.map(textOf);
  }

  append(name: string, value: Value): void {
    this.variables.append(name, value);
    this.#noteSet(name, value);
  }

  replace(name: string, value: Value): void {
    this.variables.replace(name, [value]);
    this.#noteSet(name, value);
  }

  replaceAll(name: string, values: readonly Value[]): void {
    this.variables.replace(name, values);
    for (const value of values) this.#noteSet(name, value);
  }

  /** COPY$: appends the values, or with TYPE=REPLACE puts the first in place of all. */
  copyTo(name: string, values: readonly Value[], replace: boolean): void {
    const first = values[0];
    this.notFound = first === undefined;
    if (first === undefined) return;
    if (replace) this.replace(name, first);
    else for (const value of values) this.append(name, value);
  }

  /** Stores the return address of the subroutine being called. */
  enterSubroutine(returnTo: number): void {
    if (this.#returns.length >= MOST_NESTED_PERFORMS) {
      throw new ScenarioAbendError(`PERFORM$ is nested more than ${MOST_NESTED_PERFORMS} deep`);
    }
    this.#dropLeftLoops();
    this.#returns.push(returnTo);
  }

  /** Where the subroutine that ends was called from; undefined if none is being performed. */
  returnFromSubroutine(): number | undefined {
    const target = this.#returns.pop();
    this.#dropLoops((frame) => frame.performDepth > this.#returns.length);
    return target;
  }

  /** How deep in PERFORM$ the run is. */
  get performDepth(): number {
    return this.#returns.length;
  }

  /** Gives up subroutines entered after this depth, as an abend in one of them does. */
  unwindTo(depth: number): void {
    this.#returns.length = Math.min(this.#returns.length, depth);
    this.#dropLoops((frame) => frame.performDepth > depth);
  }

  /** Begins a loop; false if there is nothing to loop over. */
  enterLoop(loop: LoopDefinition, over?: readonly Value[], areas?: readonly ScreenArea[]): boolean {
    const depth = this.performDepth;
    this.#dropLeftLoops();
    this.#dropLoops((frame) => frame.performDepth === depth && frame.loop === loop);
    const values = over ?? this.variables.values(loop.variable);
    if (values === undefined || values.length === 0) return false;
    this.#loops.push({ loop, values: [...values], areas, performDepth: depth, index: 0 });
    this.screenPosition = areas?.[0] ?? this.screenPosition;
    return true;
  }

  /** Goes on to the loop's next value; false if the last one is done. */
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

  /** Logs, counts and traces a value whose digits in the record are not the number in the document. The value is not told. */
  noteNumericFault(structure: string, { name, length }: NumericArea, fault: NumericFault): void {
    const { log, measures } = this.ports;
    measures?.scenarioTruncated(this.moduleName);
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

  /** Numeric faults of the step, for traces; forgets them. */
  takeNumericFaults(): readonly string[] {
    return this.#numericFaults.splice(0);
  }

  /** The variables that the step set, secrets too, for traces; forgets them. */
  takeSet(): ReadonlyMap<string, readonly string[]> {
    const set = this.#set;
    if (set.size > 0) this.#set = new Map();
    return set;
  }

  get isTraced(): boolean {
    return this.trace !== undefined || this.written !== undefined;
  }

  #currentLoopValue(name: string): Value | undefined {
    if (this.#loops.length === 0) return undefined;
    const stored = this.variables.storedName(name);
    const frame = this.#loops.findLast(({ loop }) => this.variables.storedName(loop.variable) === stored);
    if (frame === undefined) return undefined;
    const live = frame.performDepth < this.performDepth || this.#isWithin(frame, this.at);
    return live ? frame.values[frame.index] : undefined;
  }

  /** A GOTO$ may have left the loop: its frame then no longer counts. */
  #isWithin(frame: LoopFrame, index: number): boolean {
    return index > frame.loop.start && index <= frame.loop.end;
  }

  /** Loops of this depth that a GOTO$ has left. */
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

  #noteSet(name: string, value: Value): void {
    if (!this.isTraced) return;
    const values = this.#set.get(name);
    if (values === undefined) this.#set.set(name, [textOf(value)]);
    else values.push(textOf(value));
  }
}

export function startTrace(run: ScenarioRun): void {
  run.trace ??= new ScenarioTrace();
}

/** A FOREACH$ and the place of its ENDFOR$. */
export interface LoopDefinition {
  readonly label: string | undefined;
  readonly variable: string;
  readonly place: SourcePlace;
  /** Index of the FOREACH$. */
  readonly start: number;
  /** Index of the ENDFOR$, once it is known. */
  end: number;
}
