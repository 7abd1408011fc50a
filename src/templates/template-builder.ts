import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import { NameGuesses } from '../lib/text/nearest-name.js';
import type { DeclaredField, TemplateUses } from './compiled-template.js';
import type { Escape } from './escapes.js';
import { escapes, scriptEscapes } from './escapes.js';
import { LoopScopes } from './loop-scopes.js';
import { MarkupPosition } from './markup-position.js';
import { PdfDeclarations } from './pdf-declarations.js';
import type { Capability } from './render-context.js';
import type { Segment, TemplateNode } from './rendering.js';
import type { TagInvocation } from './tag-invocation.js';
import { templateLimits } from './template-limits.js';

/** Builds a node from the content between the tags of a pair, or inside a tag with text. */
type Finish = (body: readonly Segment[]) => TemplateNode | undefined;

interface OpenBlock {
  readonly tag: TagInvocation;
  /** Name of the closing tag; undefined: the block is the text inside a tag. */
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

/** Receives the nodes that tags compile to, and gives tags information about the page. */
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
  /** The escape option in force; NO-ESCAPES for none. */
  escapeOption: string;
  /** AUTO-INCREMENT-VARIABLES is in force. */
  autoIncrements: boolean;
  /** Of the first SET-COUNTRY-CODE of the page. */
  firstCharset: string | undefined;
  readonly #indexes = new Map<string, number>();
  readonly #root: Segment[] = [];
  readonly #open: OpenBlock[] = [];
  readonly #place: (offset: number) => { line: number; column: number };

  constructor(
    readonly file: string,
    /** Of the whole page, bare. */
    readonly contentType: string,
    /** The options the page begins with. */
    readonly startOptions: { readonly escapeOption: string; readonly autoIncrements: boolean },
    place: (offset: number) => { line: number; column: number },
  ) {
    this.escapeOption = startOptions.escapeOption;
    this.autoIncrements = startOptions.autoIncrements;
    this.position = new MarkupPosition(contentType);
    this.#place = place;
  }

  /** How many pairs and texts are open. */
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

  report(offset: number, message: string, severity: SourceDiagnostic['severity'] = 'error'): void {
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

  /** The index of the variable a tag names in its string, which counts as spoken of here. */
  variable(tag: TagInvocation): number {
    const variable = this.unspokenVariable(tag);
    this.loops.refer(variable);
    return variable;
  }

  /** The same without counting as spoken of: for a variable that a loop is about to be driven by. */
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

  /** Opens the block of a pair; `finish` is called with its body, even if the closing tag is missing. */
  openPair(tag: TagInvocation, closedBy: string, finish: Finish): void {
    this.#open.push({ tag, closedBy, finish, body: [] });
  }

  /** Closes the pair that a closing tag belongs to. */
  closePair(tag: TagInvocation): void {
    const index = this.#open.findLastIndex(({ closedBy }) => closedBy === tag.name || closedBy === undefined);
    const block = this.#open[index];
    if (block?.closedBy !== tag.name) {
      this.report(tag.offset, `${tag.name} closes nothing: its opening tag is missing, or is closed already`);
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

  /** Opens the block of a tag with text; the scanner reports its end. */
  openText(tag: TagInvocation, finish: Finish): void {
    this.#open.push({ tag, closedBy: undefined, finish, body: [] });
  }

  closeText(): void {
    this.#closeAbove(this.#open.findLastIndex(({ closedBy }) => closedBy === undefined));
    this.#close();
  }

  /** Called when the source is at its end. Texts that are still open were reported by the scanner. */
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
