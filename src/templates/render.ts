import iconv from 'iconv-lite';
import { prefixCodeOf } from '../lib/network/node-code.js';
import { forSingleByteCharset } from '../lib/text/characters.js';
import { atOnceOrInTurns, type RestingWork } from '../lib/turns/work-in-turns.js';
import type { LaidOutPage } from '../tn3270/print/printed-page.js';
import type { CompiledTemplate } from './compiled-template.js';
import type { OfferedChoice } from './page-declarations.js';
import { scriptsAsRead } from './page-encoding.js';
import { pdfPagesOf } from './pdf-pages.js';
import type { RenderContext } from './render-context.js';
import { type CacheRule, Rendering, type RenderLimits } from './rendering.js';
import { conditions } from './tags/definitions.js';
import { nameItems } from './tags/names.js';
import { templateLimits } from './template-limits.js';

const defaultLimits: RenderLimits = templateLimits;

const noFieldNames: ReadonlyMap<string, number> = new Map();
const noFields: ReadonlySet<number> = new Set();
const noChoices: ReadonlyMap<number, OfferedChoice> = new Map();

export class RenderedPage {
  readonly status: number;
  readonly reason: string | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** Names of headers written without a blank after the colon. */
  readonly tightHeaders: ReadonlySet<string>;
  /** Sent unchanged, without an added charset. */
  readonly contentType: string;
  /** Charset at the beginning of the page; SET-COUNTRY-CODE can change it for the rest. */
  readonly charset: string;
  readonly cache: CacheRule;
  readonly text: string;
  /** Form field names that the page assigned to host fields, with the address of the first character. */
  readonly fieldNames: ReadonlyMap<string, number>;
  /** Addresses of the host fields for which the page has inputs. */
  readonly offeredFields: ReadonlySet<number>;
  readonly offeredChoices: ReadonlyMap<number, OfferedChoice>;
  /** Inline scripts for the content security policy, as parsed by a browser. */
  readonly inlineScripts: ReadonlySet<string>;
  readonly #pdf: CompiledTemplate['uses']['pdf'];
  readonly #pdfMarks: Rendering['pdfMarks'];
  readonly #charsetChanges: Rendering['charsetChanges'];
  #body: Buffer | undefined;

  constructor(template: CompiledTemplate, rendering: Rendering) {
    this.status = rendering.status;
    this.reason = rendering.reason;
    this.headers = rendering.headers;
    this.tightHeaders = rendering.tightHeaders;
    this.contentType = template.contentType;
    this.charset = template.charset;
    this.cache = rendering.cache;
    this.text = rendering.text;
    this.fieldNames = rendering.pageSoFar?.fieldNames ?? noFieldNames;
    this.offeredFields = rendering.pageSoFar?.offered ?? noFields;
    this.offeredChoices = rendering.pageSoFar?.choices ?? noChoices;
    this.inlineScripts = scriptsAsRead(rendering.inlineScripts, template.charset);
    this.#pdf = template.uses.pdf;
    this.#pdfMarks = rendering.pdfMarks;
    this.#charsetChanges = rendering.charsetChanges;
  }

  /** Text in the charset of the page, encoded at first access; characters outside the charset become `?`. */
  get body(): Buffer {
    this.#body ??= this.#encode();
    return this.#body;
  }

  get pdfPages(): readonly LaidOutPage[] | undefined {
    return this.#pdf && pdfPagesOf(this.text, this.#pdfMarks, this.#pdf);
  }

  #encode(): Buffer {
    const pieces: Buffer[] = [];
    let from = 0;
    let charset = this.charset;
    for (const change of this.#charsetChanges) {
      pieces.push(encode(this.text.slice(from, change.at), charset));
      ({ at: from, charset } = change);
    }
    const rest = encode(this.text.slice(from), charset);
    return pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
  }
}

interface RenderOptions {
  readonly limits?: Partial<RenderLimits>;
}

/**
 * Renders a compiled template: synchronously, or with pauses if it takes long. Later changes of the context do not
 * affect the page.
 * @throws ServiceError SVC_ERR_TEMPLATE_RENDERING if a limit is exceeded (output bytes, loop passes, work, headers)
 */
export function render(
  template: CompiledTemplate,
  context: RenderContext,
  options: RenderOptions = {},
): RenderedPage | Promise<RenderedPage> {
  const rendering = begun(template, context, options);
  if (rendering.goOn()) return finished(template, rendering);
  return atOnceOrInTurns(pageWork(template, rendering), () => keepStill(rendering, template), context.client?.peer);
}

/** Like `render`, with yields, for a context that does not change. */
export function rendition(
  template: CompiledTemplate,
  context: RenderContext,
  options: RenderOptions = {},
): RestingWork<RenderedPage> {
  return pageWork(template, begun(template, context, options));
}

function begun(template: CompiledTemplate, context: RenderContext, options: RenderOptions): Rendering {
  const limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
  const rendering = new Rendering(
    template.file,
    context,
    limits,
    template.variables,
    template.uses.codePage !== undefined,
  );
  rendering.enter(template.segments);
  return rendering;
}

function* pageWork(template: CompiledTemplate, rendering: Rendering): RestingWork<RenderedPage> {
  while (!rendering.goOn()) yield;
  return finished(template, rendering);
}

function finished(template: CompiledTemplate, rendering: Rendering): RenderedPage {
  const { text, limits } = rendering;
  // a UTF-16 unit takes at most three bytes in UTF-8
  if (text.length * 3 > limits.outputBytes && Buffer.byteLength(text) > limits.outputBytes) {
    rendering.fail(`the page is longer than ${limits.outputBytes} bytes`);
  }
  return new RenderedPage(template, rendering);
}

function encode(text: string, charset: string): Buffer {
  return charset === 'UTF-8' ? Buffer.from(text, 'utf8') : iconv.encode(forSingleByteCharset(text), charset);
}

/** Reads all changeable values before the first pause, so that the page shows a consistent state. */
function keepStill(rendering: Rendering, { uses }: CompiledTemplate): void {
  const { context, variables } = rendering;
  const { isLive } = context;
  if (isLive !== undefined) {
    variables.forEach((name, variable) => {
      if (isLive(name)) rendering.series(variable);
    });
  }
  const nameOf = answersOf(nameItems, context.nameOf);
  const condition = answersOf(conditions, context.condition);
  const exponents = answersOf(uses.publicKeys, (name) => context.publicKey('EXPONENT', name));
  const moduli = answersOf(uses.publicKeys, (name) => context.publicKey('MODULUS', name));
  const encryptionParameters = answersOf(uses.encryptionParameters, context.encryptionParameters);
  const publicKey: RenderContext['publicKey'] = (part, name) => (part === 'EXPONENT' ? exponents(name) : moduli(name));
  rendering.context = { ...context, nameOf, condition, publicKey, encryptionParameters };
}

function answersOf<Answer>(
  questions: Iterable<string>,
  ask: (question: string) => Answer,
): (question: string) => Answer {
  const answers = new Map([...questions].map((question) => [question, ask(question)] as const));
  return (question) => (answers.has(question) ? (answers.get(question) as Answer) : ask(question));
}

/** Values of NAME-OF items and other server values for templates. A Map satisfies this interface. */
export interface ItemNames
  extends Partial<Pick<RenderContext, 'addressOfLine' | 'client' | 'isUserAllowedTo' | 'prefixCode'>> {
  get(item: string): string | undefined;
  /** Variables with texts in the language of the page. */
  readonly wordsOf?: RenderContext['valuesOf'];
}

interface SessionlessValues {
  readonly valuesOf: RenderContext['valuesOf'];
  readonly names: ItemNames;
  readonly trace: string | undefined;
  readonly codePage: string;
  readonly isPdf?: boolean;
}

export function sessionlessContext(
  template: CompiledTemplate,
  { valuesOf, names, trace, codePage, isPdf = false }: SessionlessValues,
): RenderContext {
  return {
    valuesOf: (variable) => names.wordsOf?.(variable) ?? valuesOf(variable),
    nameOf: (item) => (item === 'CHARACTER-SET' ? template.charset : names.get(item)),
    numberOf: () => undefined,
    condition: (condition) => (condition === 'TRACING-SCENARIO' ? trace : undefined),
    publicKey: () => undefined,
    encryptionParameters: () => undefined,
    prefixCode: names.prefixCode ?? prefixCodeOf(undefined),
    sessionCode: undefined,
    ajaxSessionCode: undefined,
    isUserAllowedTo: (resource) => names.isUserAllowedTo?.(resource) === true,
    addressOfLine: (line) => names.addressOfLine?.(line),
    defaultCodePage: codePage,
    ...(names.client === undefined ? {} : { client: names.client }),
    isPdf,
  };
}
