import { codePointCount } from '../../lib/text/characters.js';
import { integerOf, OperandReader } from '../operand-reader.js';
import { parserLimits } from '../parser.js';
import type { SourceInstruction, SourcePlace } from '../syntax.js';
import { areaLimits, elementPathOperand, readArea, reportedPath } from './area-operands.js';
import { definitionFill, fixedLength } from './area-text.js';
import type { Definition, EventualAlternative, EventualCondition, GroupDefinition, Structure } from './definition.js';
import type { ElementPath } from './element-tree.js';
import { mappingLimits } from './mapping.js';

const MOST_OCCURRENCES = 100_000;

type GroupOperands = Pick<GroupDefinition, 'with' | 'top' | 'occurs' | 'count' | 'event'>;

function readGroupOperands(reader: OperandReader): GroupOperands {
  const top = reader.takeWord('TOP');
  const path = elementPathOperand(reader, 'WITH');
  const occurs = readOccurs(reader);
  const count = reader.optionalText('COUNT');
  for (const name of ['OCCURS', 'COUNT']) {
    const operand = reader.optional(name);
    if (operand !== undefined && reader.optional('WITH') === undefined) {
      reader.report(operand, `${name}= needs WITH=: it counts the elements of that name`);
    }
  }
  return { with: path, top, occurs, count, event: reader.optionalText('EVENT') };
}

function readOccurs(reader: OperandReader): GroupDefinition['occurs'] {
  const operand = reader.optional('OCCURS');
  if (operand === undefined) return undefined;
  if (operand.kind === 'word' && operand.word === 'UNLIMITED') return 'unlimited';
  const occurs = integerOf(operand);
  if (occurs !== undefined && occurs >= 1 && occurs <= MOST_OCCURRENCES) return occurs;
  return reader.report(operand, `OCCURS= must be UNLIMITED or a whole number from 1 to ${MOST_OCCURRENCES}`);
}

const MOST_NESTED_GROUPS = 32;

interface AlternativeChain {
  readonly alternatives: EventualAlternative[];
  readonly path: ElementPath | undefined;
  closed: boolean;
}

interface OpenGroup extends SourcePlace {
  readonly label: string | undefined;
  readonly operands: GroupOperands;
  readonly children: Definition[];
  chain: AlternativeChain | undefined;
}

interface ExecuteReference extends SourcePlace {
  readonly label: string;
  readonly structure: string | undefined;
}

interface Operation {
  readonly read: (assembler: MapAssembler, instruction: SourceInstruction, reader: OperandReader) => void;
  readonly inGroup: boolean;
}

/**
 * Builds output structures from the MAP$ definition instructions of a source. Never throws: every error goes to
 * `diagnostics` with its place. Source: reference/4.3.
 */
export class MapAssembler {
  readonly diagnostics: MapFault[] = [];
  readonly warnings: MapFault[] = [];
  readonly executes: ExecuteReference[] = [];
  readonly #open: OpenGroup[] = [];
  readonly #structures = new Map<string, Structure>();
  readonly #labels = new Map<string, number>();

  static readonly #operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
    ['BEGIN', { inGroup: false, read: (assembler, instruction, reader) => assembler.#begin(instruction, reader) }],
    ['END', { inGroup: false, read: (assembler, instruction) => assembler.#end(instruction) }],
    ['AREA', { inGroup: true, read: (assembler, _, reader) => assembler.#area(reader, 'element') }],
    ['AREA-ATTRIBUTE', { inGroup: true, read: (assembler, _, reader) => assembler.#area(reader, 'attribute') }],
    ['EVENTUAL-AREA', { inGroup: true, read: (assembler, _, reader) => assembler.#eventualArea(reader) }],
    ['ELSETHEN-AREA', { inGroup: true, read: (assembler, _, reader) => assembler.#elsethenArea(reader) }],
    ['EXECUTE', { inGroup: true, read: (assembler, _, reader) => assembler.#execute(reader) }],
    [
      'ABEND',
      { inGroup: true, read: (assembler, { line, column }) => assembler.#add({ kind: 'abend', line, column }) },
    ],
    ['ABEND-AT', { inGroup: true, read: (assembler, _, reader) => assembler.#abendAt(reader) }],
  ]);

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  add(instruction: SourceInstruction): void {
    const report = (place: SourcePlace, message: string) => this.#report(place, message);
    const warn = (place: SourcePlace, message: string) => {
      this.warnings.push({ ...placeOf(place), message });
    };
    const reader = new OperandReader({ instruction, report, warn });
    const first = reader.nextWord();
    const operation = MapAssembler.#operations.get(first?.word ?? '');
    if (operation === undefined) {
      const words = first === undefined ? 'MAP$ needs an operation' : `MAP$ has no operation ${first.word}`;
      report(first ?? instruction, words);
      return;
    }
    if (operation.inGroup && !this.isOpen) report(instruction, 'this is outside a group: there is no open MAP$ BEGIN');
    operation.read(this, instruction, reader);
    reader.done();
  }

  finish(): ReadonlyMap<string, Structure> {
    for (const group of this.#open) this.#report(group, `${describe(group)} is not closed by a MAP$ END`);
    this.#open.length = 0;
    return this.#structures;
  }

  #report(place: SourcePlace, message: string): undefined {
    if (this.diagnostics.length >= parserLimits.faults) return;
    this.diagnostics.push({ ...placeOf(place), message });
  }

  #begin(instruction: SourceInstruction, reader: OperandReader): void {
    const { label } = instruction;
    const operands = readGroupOperands(reader);
    if (label === undefined && !this.isOpen) {
      this.#report(instruction, 'a group that is not inside another group needs a label');
    }
    if (this.#open.length === MOST_NESTED_GROUPS) {
      this.#report(instruction, `groups are nested more than ${MOST_NESTED_GROUPS} deep`);
    }
    if (label !== undefined) this.#takeLabel(label, instruction);
    this.#open.push({ label, operands, children: [], chain: undefined, ...placeOf(instruction) });
  }

  #takeLabel(label: string, place: SourcePlace): void {
    const line = this.#labels.get(label);
    if (line === undefined) this.#labels.set(label, place.line);
    else this.#report(place, `the label ${label} is already the label of the group of line ${line}`);
  }

  /** Closes the innermost group; with the label of an outer group, also the unclosed groups inside it. */
  #end(instruction: SourceInstruction): void {
    const innermost = this.#open.at(-1);
    if (innermost === undefined) {
      this.#report(instruction, 'MAP$ END has no group to close: there is no MAP$ BEGIN before it');
      return;
    }
    const { label } = instruction;
    if (label === undefined || label === innermost.label) {
      this.#close();
      return;
    }
    this.#report(instruction, `MAP$ END of ${label} is misplaced: ${describe(innermost)} must be closed first`);
    const outer = this.#open.findLastIndex((group) => group.label === label);
    const remaining = outer < 0 ? this.#open.length - 1 : outer;
    while (this.#open.length > remaining) this.#close();
  }

  #close(): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const { label, operands, children, line, column } = open;
    const fits = totalLength(children) <= mappingLimits.recordCharacters;
    const fill = fits ? children.map(definitionFill).join('') : '';
    const group = { kind: 'group' as const, label, ...operands, children, fill, line, column };
    if (!fits || fixedLength(group) > mappingLimits.recordCharacters) {
      this.#report(open, `${describe(open)} makes records longer than ${mappingLimits.recordCharacters} characters`);
      group.fill = '';
    }
    if (this.isOpen) this.#add(group);
    else if (label !== undefined && !this.#structures.has(label)) this.#structures.set(label, { ...group, label });
  }

  #add(definition: Definition | undefined, chain?: AlternativeChain): void {
    const group = this.#open.at(-1);
    if (group === undefined) return;
    if (definition !== undefined) group.children.push(definition);
    group.chain = chain;
  }

  #area(reader: OperandReader, kind: 'element' | 'attribute'): void {
    const events = this.#open.flatMap(({ operands }) => (operands.event === undefined ? [] : `${operands.event}/`));
    const groupPath = this.#open.findLast(({ operands }) => operands.with !== undefined)?.operands.with;
    this.#add(readArea(reader, kind, { variablePrefix: events.join(''), groupPath }));
  }

  #eventualArea(reader: OperandReader): void {
    const path = elementPathOperand(reader, 'WITH');
    const alternative = readAlternative(reader, path);
    if (reader.optional('WHEN') === undefined) this.#report(reader.place, 'EVENTUAL-AREA needs WHEN=');
    const chain = { alternatives: alternative === undefined ? [] : [alternative], path, closed: false };
    this.#add({ kind: 'eventualArea', alternatives: chain.alternatives, ...placeOf(reader.place) }, chain);
  }

  #elsethenArea(reader: OperandReader): void {
    const chain = this.#open.at(-1)?.chain;
    const alternative = readAlternative(reader, elementPathOperand(reader, 'WITH') ?? chain?.path);
    if (chain === undefined) {
      if (this.isOpen) this.#report(reader.place, 'ELSETHEN-AREA must follow an EVENTUAL-AREA or an ELSETHEN-AREA');
      return;
    }
    if (chain.closed) this.#report(reader.place, 'no ELSETHEN-AREA can follow the one without WHEN=');
    if (reader.optional('WHEN') === undefined) chain.closed = true;
    if (alternative !== undefined) chain.alternatives.push(alternative);
  }

  #execute(reader: OperandReader): void {
    const label = reader.nextText('the label of the subroutine');
    if (label === undefined) return;
    const definition = { kind: 'execute' as const, label: label.text.toUpperCase(), ...placeOf(reader.place) };
    this.executes.push({ label: definition.label, structure: this.#open[0]?.label, ...placeOf(label) });
    this.#add(definition);
  }

  /** MAP$ ABEND-AT,WITH='element' or MAP$ ABEND-AT,'element'. */
  #abendAt(reader: OperandReader): void {
    const positional = reader.next();
    const path =
      positional?.kind === 'string'
        ? reportedPath(reader, positional.text, positional)
        : elementPathOperand(reader, 'WITH');
    if (path !== undefined) this.#add({ kind: 'abendAt', path, ...placeOf(reader.place) });
    else if (reader.optional('WITH') === undefined) this.#report(reader.place, 'ABEND-AT needs an element: WITH=');
  }
}

function placeOf({ line, column }: SourcePlace): SourcePlace {
  return { line, column };
}

function totalLength(definitions: readonly Definition[]): number {
  return definitions.reduce((total, definition) => total + fixedLength(definition), 0);
}

function describe({ label, line }: OpenGroup): string {
  return label === undefined ? `the group of line ${line}` : `the group ${label} of line ${line}`;
}

export interface MapFault extends SourcePlace {
  readonly message: string;
}

/**
 * Operands of MAP$ EVENTUAL-AREA and MAP$ ELSETHEN-AREA. LENGTH is accepted without effect: the area is as long as its
 * constant (spec 2.4: one character, although its source says LENGTH=6). Undefined after a reported error.
 *
 * @param path element that WHEN=(VALUE,…) compares; undefined: the current element
 */
function readAlternative(reader: OperandReader, path: ElementPath | undefined): EventualAlternative | undefined {
  const constant = readConstant(reader);
  const length = reader.optionalInteger('LENGTH', 1, areaLimits.length);
  if (length !== undefined && constant !== undefined && length !== codePointCount(constant)) {
    const place = reader.optional('LENGTH') ?? reader.place;
    reader.warn(place, `LENGTH=${length} has no effect: the constant has ${codePointCount(constant)} characters`);
  }
  const when = reader.optional('WHEN') === undefined ? undefined : readCondition(reader, path);
  const event = reader.optionalText('EVENT');
  if (constant === undefined || (when === undefined && reader.optional('WHEN') !== undefined)) return undefined;
  return { constant, when, event };
}

function readConstant(reader: OperandReader): string | undefined {
  if (!reader.takeWord('FROM-CONSTANT')) return reader.report(reader.place, "FROM-CONSTANT,'constant' is missing");
  const operand = reader.next();
  if (operand?.kind === 'string') return operand.text;
  return reader.report(operand ?? reader.place, 'FROM-CONSTANT needs a constant in quotes after it');
}

/** WHEN=(ELEMENT,'element') or WHEN=(VALUE,'text'). */
function readCondition(reader: OperandReader, path: ElementPath | undefined): EventualCondition | undefined {
  const operand = reader.optional('WHEN');
  const items = operand?.kind === 'list' ? operand.items : [];
  const [kind, text] = items;
  const word = kind?.kind === 'word' ? kind.word : undefined;
  if (text?.kind === 'string' && items.length === 2) {
    if (word === 'VALUE') return { kind: 'value', value: text.text, path };
    if (word === 'ELEMENT') {
      const element = reportedPath(reader, text.text, text);
      return element === undefined ? undefined : { kind: 'element', path: element };
    }
  }
  return reader.report(operand ?? reader.place, "WHEN= must be (ELEMENT,'element') or (VALUE,'text')");
}
