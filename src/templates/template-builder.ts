import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import { NameGuesses } from '../lib/text/nearest-name.js';
import type { DeclaredField, TemplateUses } from './compiled-template.js';
import { type Escape, escapeInScript, escapes, scriptEscapes } from './escapes.js';
import type { Capability, RenderContext } from './render-context.js';
import { Insertion, type PdfUses, type Segment, type TemplateNode } from './rendering.js';
import type { TagInvocation, TagShape } from './scanner.js';
import { templateLimits } from './template-limits.js';

type Finish = (body: readonly Segment[]) => TemplateNode | undefined;

interface OpenBlock {
  readonly tag: TagInvocation;
  /** Name of the closing tag; undefined for the text inside a tag. */
  readonly closedBy: string | undefined;
  readonly finish: Finish;
  readonly body: Segment[];
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

interface CollectedUses extends Mutable<TemplateUses> {
  publicKeys: string[];
  encryptionParameters: string[];
  capabilities: Capability[];
  declaredFields: DeclaredField[];
  hostOptions: Map<string, boolean>;
}

export class TemplateBuilder {
  readonly errors: SourceDiagnostic[] = [];
  readonly warnings: SourceDiagnostic[] = [];
  readonly uses: CollectedUses = {
    publicKeys: [],
    encryptionParameters: [],
    sessionCode: false,
    capabilities: [],
    attentionKeyField: undefined,
    focusField: undefined,
    cursorField: undefined,
    declaredFields: [],
    sessionKeyField: undefined,
    validKeys: undefined,
    invalidKeys: undefined,
    codePage: undefined,
    pdf: undefined,
    initialTimeoutSeconds: undefined,
    hostOptions: new Map(),
  };
  readonly variables: string[] = [];
  readonly pdf = new PdfDeclarations();
  readonly loops = new LoopScopes();
  readonly guesses = new NameGuesses();
  readonly position: MarkupPosition;
  /** Current escape option; NO-ESCAPES for none. */
  escapeOption: string;
  autoIncrements: boolean;
  firstCharset: string | undefined;
  readonly #indexes = new Map<string, number>();
  readonly #root: Segment[] = [];
  readonly #open: OpenBlock[] = [];
  readonly #place: (offset: number) => { line: number; column: number };

  constructor(
    readonly file: string,
    readonly contentType: string,
    readonly startOptions: { readonly escapeOption: string; readonly autoIncrements: boolean },
    place: (offset: number) => { line: number; column: number },
  ) {
    this.escapeOption = startOptions.escapeOption;
    this.autoIncrements = startOptions.autoIncrements;
    this.position = new MarkupPosition(contentType);
    this.#place = place;
  }

  get depth(): number {
    return this.#open.length;
  }

  get segments(): readonly Segment[] {
    return this.#root;
  }

  get escape(): Escape | undefined {
    const inScript = this.position.isInScript ? scriptEscapes.get(this.escapeOption) : undefined;
    return inScript ?? escapes.get(this.escapeOption);
  }

  report(offset: number, message: string, severity: SourceDiagnostic['severity'] = 'error'): undefined {
    const list = severity === 'error' ? this.errors : this.warnings;
    if (list.length < templateLimits.diagnostics)
      list.push({ file: this.file, ...this.#place(offset), message, severity });
  }

  append(segment: Segment): void {
    const body = this.#open.at(-1)?.body ?? this.#root;
    const last = body.at(-1);
    if (typeof segment === 'string' && typeof last === 'string') body[body.length - 1] = last + segment;
    else body.push(segment);
  }

  insert(textIn: Insertion['textIn']): void {
    this.append(new Insertion(textIn));
  }

  insertKey(textIn: (context: RenderContext) => string | undefined): void {
    const escapeKey = keyEscapeAt(this);
    this.insert((context) => {
      const text = textIn(context);
      return text && escapeKey(text);
    });
  }

  /** Index of the variable in the string of a tag; counts as a reference for the enclosing loop. */
  variable(tag: TagInvocation): number {
    const variable = this.unspokenVariable(tag);
    this.loops.refer(variable);
    return variable;
  }

  /** Like `variable`, but without a reference: for the variable that drives a new loop. */
  unspokenVariable(tag: TagInvocation): number {
    const name = tag.strings[0] ?? '';
    const longest = templateLimits.variableNameLength;
    if (name === '' || name.length > longest) {
      this.report(tag.offset, `${tag.name} needs the name of a variable, of 1 to ${longest} characters`);
    }
    return this.variableNamed(name);
  }

  variableNamed(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    this.#indexes.set(name, this.variables.length);
    return this.variables.push(name) - 1;
  }

  /** `finish` is called with the body, even if the closing tag is missing. */
  openPair(tag: TagInvocation, closedBy: string, finish: Finish): void {
    this.#open.push({ tag, closedBy, finish, body: [] });
  }

  closePair(tag: TagInvocation): void {
    const index = this.#open.findLastIndex(({ closedBy }) => closedBy === tag.name || closedBy === undefined);
    const block = this.#open[index];
    if (block?.closedBy !== tag.name) {
      this.report(tag.offset, `${tag.name} has no tag to close: its opening tag is missing, or already closed`);
      return;
    }
    this.#closeAbove(index);
    const [opened] = block.tag.strings;
    const [closed] = tag.strings;
    if (closed !== undefined && opened !== undefined && closed !== opened) {
      const { line } = this.#place(block.tag.offset);
      this.report(tag.offset, `${tag.name} "${closed}" does not match ${block.tag.name} "${opened}" of line ${line}`);
    }
    this.#close();
  }

  openText(tag: TagInvocation, finish: Finish): void {
    this.#open.push({ tag, closedBy: undefined, finish, body: [] });
  }

  closeText(): void {
    this.#closeAbove(this.#open.findLastIndex(({ closedBy }) => closedBy === undefined));
    this.#close();
  }

  /** Called at the end of the source. The scanner has already reported texts without end. */
  closeAll(): void {
    while (this.#open.length > 0) {
      this.#closeAbove(this.#open.findLastIndex(({ closedBy }) => closedBy === undefined));
      this.#close();
    }
    this.loops.settle();
    this.uses.pdf = this.pdf.settle((offset, message) => this.report(offset, message));
  }

  #closeAbove(index: number): void {
    while (this.#open.length - 1 > index) {
      const block = this.#open.at(-1);
      if (block?.closedBy !== undefined) {
        this.report(block.tag.offset, `${block.tag.name} is not closed: ${block.closedBy} is missing`);
      }
      this.#close();
    }
  }

  #close(): void {
    const block = this.#open.pop();
    if (block === undefined) return;
    const node = block.finish(block.body);
    if (node !== undefined) this.append(node);
  }
}

export interface Tag extends TagShape {
  readonly closedBy?: string;
  readonly compile: (builder: TemplateBuilder, tag: TagInvocation) => void;
}

export type TagFamily = Readonly<Record<string, Tag>>;

export function bare(compile: Tag['compile']): Tag {
  return { parameters: 'none', string: 'none', compile };
}

export function withString(compile: Tag['compile']): Tag {
  return { parameters: 'none', string: 'required', compile };
}

export function withList(compile: Tag['compile']): Tag {
  return { parameters: 'required', string: 'none', compile };
}

export function withListAndString(compile: Tag['compile']): Tag {
  return { parameters: 'required', string: 'required', compile };
}

/** Escape for keys and codes at the current position: only in scripts. */
export function keyEscapeAt({ position }: TemplateBuilder): Escape {
  return position.isInScript ? escapeInScript : (value) => value;
}

const TAIL_LENGTH = 256;

/** Tracks the literal text of an HTML page, to determine the context of an inserted value. */
class MarkupPosition {
  #isInScript = false;
  #tail = '';
  readonly #isHtml: boolean;

  constructor(contentType: string) {
    this.#isHtml = contentType.startsWith('text/html');
  }

  get isInScript(): boolean {
    return this.#isInScript;
  }

  pass(text: string): void {
    if (!this.#isHtml) return;
    const folded = text.toLowerCase();
    const begins = folded.lastIndexOf('<script');
    const ends = folded.lastIndexOf('</script');
    if (begins !== ends) this.#isInScript = begins > ends;
    this.#tail = (this.#tail + text.slice(-TAIL_LENGTH)).slice(-TAIL_LENGTH);
  }

  /** Risk at this position despite the escape option; undefined if there is none. */
  riskUnder(escapeOption: string): string | undefined {
    if (!this.#isHtml || escapeOption === 'NO-ESCAPES') return undefined;
    const isForScripts = escapeOption === 'JAVASCRIPT-ESCAPES' || escapeOption === 'JSON-ESCAPES';
    if (this.#isInScript) {
      return isForScripts
        ? undefined
        : `${escapeOption} does not make a value in a script safe: use JAVASCRIPT-ESCAPES`;
    }
    if (escapeOption === 'HTML-ESCAPES' && this.#isInSingleQuotes()) {
      return "HTML-ESCAPES does not make a value in single quotes safe, because it does not escape ': use double quotes";
    }
    return undefined;
  }

  #isInSingleQuotes(): boolean {
    const quote = this.#tail.lastIndexOf("'");
    if (quote < 0 || /[<>]/.test(this.#tail.slice(quote))) return false;
    return this.#tail.slice(0, quote).trimEnd().endsWith('=');
  }
}

type Section = 'DOCOPT' | 'LAYOUT';

class PdfDeclarations {
  #linesPerPage: number | undefined;
  readonly #options = new Map<number, number | undefined>();
  #isVariable = false;
  #isUsed = false;
  readonly #layouts = new Set<number>();
  readonly #used: { readonly section: Section; readonly number: number; readonly tag: TagInvocation }[] = [];
  #open: { readonly section: Section; readonly number: number } | undefined;

  use(): void {
    this.#isUsed = true;
  }

  linesPerPage(lines: number): void {
    this.use();
    if (this.#open?.section === 'DOCOPT') this.#options.set(this.#open.number, lines);
    else this.#linesPerPage = lines;
  }

  variable(): void {
    this.use();
    this.#isVariable = true;
  }

  begin(section: Section, number: number): void {
    this.use();
    this.#open = { section, number };
    if (section === 'DOCOPT') this.#options.set(number, undefined);
    else this.#layouts.add(number);
  }

  beginInput(): void {
    this.use();
    this.#open = undefined;
  }

  apply(section: Section, number: number, tag: TagInvocation): void {
    this.use();
    this.#used.push({ section, number, tag });
  }

  get opened(): string | undefined {
    return this.#open && `PDF-NEW-${this.#open.section}`;
  }

  /** Reports references to undefined numbers after all tags are read. @returns undefined without PDF tags */
  settle(report: (offset: number, message: string) => void): PdfUses | undefined {
    for (const { section, number, tag } of this.#used) {
      const isDefined = section === 'DOCOPT' ? this.#options.has(number) : this.#layouts.has(number);
      if (!isDefined) report(tag.offset, `${tag.name}: there is no PDF-NEW-${section} "${number}"`);
    }
    if (!this.#isUsed) return undefined;
    return { linesPerPage: this.#linesPerPage, options: this.#options, isVariable: this.#isVariable };
  }
}

/** Closing tag of a pair. Its string is optional; if present, it must match the opening tag. */
export const endTag: Tag = {
  parameters: 'none',
  string: 'optional',
  compile: (builder, tag) => builder.closePair(tag),
};

/** Run-time data of a loop, completed when the whole template is compiled. */
export interface LoopPlan {
  /** Index of the variable that drives the loop. */
  readonly master: number;
  advancing: readonly number[];
}

interface LoopScope {
  readonly plan: LoopPlan;
  readonly parent: LoopScope | undefined;
  readonly references: Set<number>;
}

/**
 * Determines the variables that advance with each loop. Reference 2.5: all table variables referenced in the body
 * advance together at the end of a pass. In nested loops, a variable belongs to the outermost loop that iterates over
 * it or references it outside its inner loops; inner loops do not advance it.
 */
class LoopScopes {
  readonly #all: LoopScope[] = [];
  #innermost: LoopScope | undefined;

  get isInside(): boolean {
    return this.#innermost !== undefined;
  }

  get master(): number | undefined {
    return this.#innermost?.plan.master;
  }

  enter(master: number): LoopPlan {
    const plan: LoopPlan = { master, advancing: [] };
    this.#innermost = { plan, parent: this.#innermost, references: new Set([master]) };
    this.#all.push(this.#innermost);
    return plan;
  }

  leave(): void {
    this.#innermost = this.#innermost?.parent;
  }

  refer(variable: number): void {
    this.#innermost?.references.add(variable);
  }

  settle(): void {
    for (const { plan, parent, references } of this.#all) {
      plan.advancing = [...references].filter((variable) => variable === plan.master || !isHeld(parent, variable));
    }
  }
}

function isHeld(scope: LoopScope | undefined, variable: number): boolean {
  for (let at = scope; at !== undefined; at = at.parent) if (at.references.has(variable)) return true;
  return false;
}
