import { type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { NameGuesses } from '../lib/text/nearest-name.js';
import { atOnce, type RestingWork } from '../lib/turns/work-in-turns.js';
import type { CompiledTemplate } from './compiled-template.js';
import { type Delimiters, findDeclaration } from './delimiters.js';
import { escapes } from './escapes.js';
import { InlineScripts } from './inline-scripts.js';
import { conversionToUtf8, otherEncodingOf, withUtf8Charset } from './page-encoding.js';
import { scan, type TagInvocation, type Token } from './scanner.js';
import { isMediaType } from './tags/http.js';
import { AUTO_INCREMENT } from './tags/options.js';
import { tags } from './tags.js';
import { type Tag, TemplateBuilder } from './template-builder.js';
import { templateLimits } from './template-limits.js';

const TOKENS_AT_A_STRETCH = 100;

export interface CompileOptions {
  /** File name for diagnostics; its extension determines the content type. */
  readonly file: string;
  /** Encoding in which the file was read; default `UTF-8`. */
  readonly sourceCharset?: 'UTF-8' | 'ISO-8859-1';
  /** Initial options of every page (HTSETn); an escape option replaces the default of the content type. */
  readonly defaultOptions?: readonly string[];
}

/**
 * Compiles a template (specification 2.5, reference 2). A source without a declaration of delimiters is static.
 * @throws SourceError with every error of the source and its place
 */
export function compileTemplate(source: string, options: CompileOptions): CompiledTemplate {
  return atOnce(compilation(source, options));
}

export function* compilation(source: string, options: CompileOptions): RestingWork<CompiledTemplate> {
  const { file } = options;
  const lines = new SourceLines(source);
  const declaration = findDeclaration(source);
  if (declaration?.kind === 'faulty') {
    throw new SourceError(
      [{ file, ...lines.place(declaration.offset), message: declaration.message, severity: 'error' }],
      source,
    );
  }
  const fileType = contentTypeOf(file);
  if (declaration === undefined) {
    const builder = newBuilder(options, fileType ?? 'application/octet-stream', (offset) => lines.place(offset));
    builder.warnings.push(...(yield* rawTagsOfStaticFile(file, source, lines)));
    return compiled(options, builder, source);
  }
  const { from, to, delimiters } = declaration;
  let page = source.slice(0, from) + source.slice(to);
  let tokens = yield* tokensOf(page, delimiters);
  const conversion = conversionOf(page, tokens, options);
  if (conversion?.kind === 'converted') {
    page = conversion.text;
    tokens = yield* tokensOf(page, delimiters);
  }
  // an unknown extension counts as a page, so that values are escaped
  const ownType = contentTypeSetBy(tokens) ?? fileType ?? 'text/html';
  const contentType = conversion === undefined ? ownType : withUtf8Charset(ownType);
  const place = (offset: number) => lines.place(offset < from ? offset : offset + to - from);
  const builder = newBuilder(options, contentType, place);
  if (conversion !== undefined) {
    builder.report(conversion.offset, conversion.message, conversion.kind === 'refused' ? 'error' : 'warning');
  }
  const report = yield* build(builder, tokens);
  const otherEncoding = builder.uses.codePage === undefined ? undefined : otherEncodingOf(page, contentType);
  if (otherEncoding !== undefined) builder.report(otherEncoding.offset, otherEncoding.message, 'warning');
  if (!delimiters.start.includes('{')) {
    const reason = `the file declares the delimiters ${delimiters.start} and ${delimiters.end}`;
    builder.warnings.push(...(yield* rawTags(file, source, lines, reason)));
  }
  if (builder.errors.length > 0) throw new SourceError(builder.errors.sort(byPlace), source);
  return compiled(options, builder, undefined, report);
}

function newBuilder(
  { file, defaultOptions = [] }: CompileOptions,
  contentType: string,
  place: (offset: number) => { line: number; column: number },
): TemplateBuilder {
  const escapeOption = defaultOptions.findLast((option) => escapes.has(option)) ?? productEscapesOf(contentType);
  const autoIncrements = defaultOptions.includes(AUTO_INCREMENT);
  return new TemplateBuilder(file, contentType, { escapeOption, autoIncrements }, place);
}

/** All tokens, or enough to detect too many tags. */
function* tokensOf(page: string, delimiters: Delimiters): RestingWork<Token[]> {
  const tokens: Token[] = [];
  let tagCount = 0;
  const guesses = new NameGuesses();
  const options = {
    shapeOf: (name: string) => tags.get(name),
    describeUnknown: (name: string) => describeUnknown(name, guesses),
  };
  for (const token of scan(page, delimiters, options)) {
    tokens.push(token);
    if (token.kind === 'tag' || token.kind === 'textTag' || token.kind === 'fault') tagCount += 1;
    if (tagCount > templateLimits.tagsPerTemplate) break;
    if (tokens.length % TOKENS_AT_A_STRETCH === 0) yield;
  }
  return tokens;
}

function* build(builder: TemplateBuilder, tokens: readonly Token[]): RestingWork<string[]> {
  const report: string[] = [];
  const scripts = new InlineScripts(builder.contentType);
  for (const [index, token] of tokens.entries()) {
    if (index % TOKENS_AT_A_STRETCH === TOKENS_AT_A_STRETCH - 1) yield;
    if (token.kind === 'text') {
      builder.position.pass(token.text);
      scripts.appendText(builder, token);
    } else if (token.kind === 'fault') {
      builder.report(token.offset, token.message);
    } else if (token.kind === 'endOfText') {
      scripts.endFileText();
      builder.closeText();
    } else {
      report.push(reportLine(token.tag));
      scripts.pass(token.tag);
      buildTag(builder, token.tag);
      const fault = boundPassed(report.length, builder.depth);
      if (fault !== undefined) {
        builder.report(token.tag.offset, fault);
        return report;
      }
    }
  }
  builder.closeAll();
  return report;
}

function boundPassed(tagCount: number, depth: number): string | undefined {
  const { tagsPerTemplate, nesting } = templateLimits;
  if (tagCount > tagsPerTemplate) return `a template has at most ${tagsPerTemplate} tags`;
  return depth > nesting ? `tags are nested deeper than ${nesting}` : undefined;
}

function buildTag(builder: TemplateBuilder, invocation: TagInvocation): void {
  const tag = tags.get(invocation.name);
  if (tag === undefined) return;
  const fault = shapeFault(tag, invocation);
  if (fault === undefined) {
    const idle = withoutEffect(invocation);
    if (idle !== undefined) builder.report(invocation.offset, idle, 'warning');
    tag.compile(builder, invocation);
    return;
  }
  builder.report(invocation.offset, fault);
  // its block is opened anyway, so that one mistake causes only one diagnostic
  if (tag.holdsText) builder.openText(invocation, () => undefined);
  if (tag.closedBy !== undefined) builder.openPair(invocation, tag.closedBy, () => undefined);
}

function shapeFault(tag: Tag, { name, parameters, strings }: TagInvocation): string | undefined {
  if (tag.parameters === 'required' && parameters === undefined) return `${name} needs a list (…)`;
  if (tag.parameters === 'none' && parameters !== undefined) return `${name} takes no list (…)`;
  if (tag.string === 'required' && strings.length === 0) return `${name} needs a string "…"`;
  if (tag.string === 'none' && strings.length > 0) return `${name} takes no string "…"`;
  const mostStrings = tag.mostStrings ?? 1;
  if (strings.length > mostStrings) return `${name} takes at most ${mostStrings} string${mostStrings === 1 ? '' : 's'}`;
  return undefined;
}

function describeUnknown(name: string, guesses: NameGuesses): string {
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const nearest = guesses.nearest(name, tags.keys());
  return `unknown tag ${shown}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function conversionOf(page: string, tokens: readonly Token[], { sourceCharset }: CompileOptions) {
  if (sourceCharset !== 'ISO-8859-1') return undefined;
  const isUtf8Wanted = tokens.some((token) => token.kind === 'tag' && token.tag.name === 'SET-OUTPUT-ENCODING-UTF-8');
  return isUtf8Wanted ? conversionToUtf8(page) : undefined;
}

/** The last SET-CONTENT-TYPE applies to the whole page (reference 2.10: processed at upload). */
function contentTypeSetBy(tokens: readonly Token[]): string | undefined {
  const token = tokens.findLast((token) => token.kind === 'tag' && token.tag.name === 'SET-CONTENT-TYPE');
  const type = token?.kind === 'tag' ? token.tag.strings[0] : undefined;
  return type !== undefined && isMediaType(type) ? type : undefined;
}

function reportLine({ name, parameters, strings }: TagInvocation): string {
  const list = parameters === undefined ? '' : ` (${parameters.join(',')})`;
  return `${strings.at(-1) || '-'} : ${name}${list}`;
}

function compiled(
  options: CompileOptions,
  builder: TemplateBuilder,
  staticText: string | undefined,
  report: readonly string[] = [],
): CompiledTemplate {
  const isUtf8 = builder.uses.codePage !== undefined;
  return {
    file: options.file,
    isStatic: staticText !== undefined,
    segments: staticText === undefined ? builder.segments : [staticText],
    variables: builder.variables,
    contentType: builder.contentType,
    charset: isUtf8 ? 'UTF-8' : (builder.firstCharset ?? options.sourceCharset ?? 'UTF-8'),
    uses: builder.uses,
    tags: report,
    warnings: builder.warnings,
  };
}

function byPlace(a: SourceDiagnostic, b: SourceDiagnostic): number {
  return a.line - b.line || a.column - b.column;
}

/** Start delimiter of the specification (2.5). */
const USUAL_START = '{{{';

const STARTS_AT_A_STRETCH = 10_000;

const nameAfterStart = /[ \t\r\n]{0,64}([A-Za-z][A-Za-z0-9_-]{0,63})(?=[ \t\r\n("=}]|$)/y;
/** Form of a misspelled tag name: upper case with a hyphen, as in nearly all tag names. */
const misspelt = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+$/;

/** Warns, once per file, about tags that would be sent as text because the declaration is invalid or missing. */
function* rawTagsOfStaticFile(file: string, source: string, lines: SourceLines): RestingWork<SourceDiagnostic[]> {
  const misplaced = misplacedDeclaration(source);
  if (misplaced !== undefined) {
    return [{ file, ...lines.place(misplaced.offset), message: misplaced.message, severity: 'warning' }];
  }
  return yield* rawTags(file, source, lines, 'the file has no declaration of delimiters, so it is sent unchanged');
}

function* rawTags(file: string, source: string, lines: SourceLines, reason: string): RestingWork<SourceDiagnostic[]> {
  let first: { readonly offset: number; readonly name: string } | undefined;
  let count = 0;
  let starts = 0;
  for (let at = source.indexOf(USUAL_START); at >= 0; at = source.indexOf(USUAL_START, at + 1)) {
    starts += 1;
    if (starts % STARTS_AT_A_STRETCH === 0) yield;
    nameAfterStart.lastIndex = at + USUAL_START.length;
    const name = nameAfterStart.exec(source)?.[1];
    if (name === undefined || !(tags.has(name.toUpperCase()) || misspelt.test(name))) continue;
    first ??= { offset: at, name };
    count += 1;
  }
  if (first === undefined) return [];
  const others = count === 1 ? '' : ` (and ${count - 1} more)`;
  const message = `${USUAL_START}${first.name} looks like a tag${others}, but ${reason}`;
  return [{ file, ...lines.place(first.offset), message, severity: 'warning' }];
}

function misplacedDeclaration(source: string): { readonly offset: number; readonly message: string } | undefined {
  const offset = source.search(/<!--[ \t\r\n]{0,64}svc[ \t\r\n]{1,64}(?:start|end)[ \t\r\n]{0,64}=/i);
  if (offset < 0) return undefined;
  const reason =
    findDeclaration(source.slice(offset)) === undefined
      ? 'does not write SVC in upper case'
      : 'is not the first comment';
  return { offset, message: `the declaration of the delimiters ${reason}: the file is static` };
}

type IdleReason = (tag: TagInvocation) => string | undefined;

const alwaysIdle =
  (reason: string): IdleReason =>
  () =>
    reason;

const idleParameters =
  (idle: ReadonlySet<string>, reason: string): IdleReason =>
  (tag) => {
    const found = tag.parameters?.filter((parameter) => idle.has(parameter)) ?? [];
    return found.length === 0 ? undefined : `${found.join(', ')} ${reason}`;
  };

const idleOptions: ReadonlySet<string> = new Set([
  'DO-NOT-IGNORE-BINARY-ZEROES',
  'ENCRYPT-PASSWORD-FIELDS',
  'TRACE-LINE',
  'TRACE-RELAY',
  'OPTION-DEFAULT-COMPATIBILITY',
]);
const optionsReason = idleParameters(idleOptions, 'has no effect in this version');
const fieldRoles: ReadonlySet<string> = new Set(['USERNAME', 'PASSWORD', 'NEW-PASSWORD']);
const SYSTEM_SYMBOL = /-SYMBOL$/;

const idleReasons: Readonly<Record<string, IdleReason>> = {
  'SET-LOCAL-OPTIONS': optionsReason,
  'UNSET-LOCAL-OPTIONS': optionsReason,
  'NAME-OF': ({ parameters: [item = ''] = [] }) =>
    item === 'PASSWORD' || SYSTEM_SYMBOL.test(item) ? `${item} never has a value in this version` : undefined,
  'DECLARE-FIELD-AS': ({ parameters: words = [] }) =>
    words.every((word) => fieldRoles.has(word))
      ? `${words.join(', ')} alone has no effect in this version: ENCRYPTED, HEX or BASE64 says how the field travels`
      : undefined,
  'USER-SIGNON-CODE': alwaysIdle('it never inserts anything: a cookie identifies the signed-on user'),
  'SET-HEADER': ({ parameters: [type] = [], strings: [line = ''] }) => {
    if (type === 'TO-ALLOW-READ-OF-SCENARIO-TRACE') return `${type} never adds its header in this version`;
    const isSniffing = /^x-content-type-options:/i.test(line) && !/^[^:]*:\s*nosniff\s*$/i.test(line);
    return isSniffing ? 'every answer has X-Content-Type-Options: nosniff' : undefined;
  },
  'SET-OUTPUT-ENCODING-UTF-8': ({ strings: [codePage = ''] }) =>
    codePage === '' ? undefined : `the code page ${codePage} has no effect: the page is sent unchanged in UTF-8`,
};

function withoutEffect(tag: TagInvocation): string | undefined {
  const reason = Object.hasOwn(idleReasons, tag.name) ? idleReasons[tag.name]?.(tag) : undefined;
  return reason === undefined ? undefined : `${tag.name}: ${reason}`;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Converts an offset to line and column, both from 1; line breaks are CR LF, CR and LF. */
class SourceLines {
  readonly #source: string;
  /** Computed at the first error, because most sources are valid. */
  #starts: readonly number[] | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  place(offset: number): { line: number; column: number } {
    this.#starts ??= lineStarts(this.#source);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = 0; at < source.length; at++) {
    const unit = source.charCodeAt(at);
    const isBreak = unit === LINE_FEED || (unit === CARRIAGE_RETURN && source.charCodeAt(at + 1) !== LINE_FEED);
    if (isBreak) starts.push(at + 1);
  }
  return starts;
}

const byExtension: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'text/xml',
  xsl: 'text/xml',
  json: 'application/json',
  txt: 'text/plain',
  csv: 'text/csv',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  pdf: 'application/pdf',
};

function contentTypeOf(file: string): string | undefined {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(file)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}

function productEscapesOf(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html') return 'HTML-ESCAPES';
  if (type === 'text/xml' || type === 'application/xml' || type.endsWith('+xml')) return 'XML-ESCAPES';
  if (type === 'application/json' || type.endsWith('+json')) return 'JSON-ESCAPES';
  return 'NO-ESCAPES';
}
