import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { Capability } from './render-context.js';
import type { PdfUses, Segment } from './rendering.js';

export interface DeclaredField {
  readonly field: string;
  /** USERNAME, PASSWORD, NEW-PASSWORD, HEX, BASE64, ENCRYPTED, CRYPTO-SESSION-KEY. */
  readonly attributes: readonly string[];
}

/** Properties of a page, and what must be available before it is rendered; known without rendering. */
export interface TemplateUses {
  /** Crypt names of PUBLIC-KEY: a key pair is needed. */
  readonly publicKeys: readonly string[];
  /** Crypt names of ENCRYPTION-PARAMETERS. */
  readonly encryptionParameters: readonly string[];
  /** SESSION-CODE: a code is made for each page. */
  readonly sessionCode: boolean;
  /** Of SET-HEADER: tokens are issued for each page. */
  readonly capabilities: readonly Capability[];
  /** Field of DEFINE-HTML-PFKEY, DEFINE-HTML-FOCUS-FIELD, DEFINE-CURSOR-POSITION-FIELD. */
  readonly attentionKeyField: string | undefined;
  readonly focusField: string | undefined;
  readonly cursorField: string | undefined;
  /** In the order of the page. */
  readonly declaredFields: readonly DeclaredField[];
  /** The field declared CRYPTO-SESSION-KEY. */
  readonly sessionKeyField: string | undefined;
  /** Attention keys in the form PF01; undefined if the page sets none. */
  readonly validKeys: readonly string[] | undefined;
  readonly invalidKeys: readonly string[] | undefined;
  /** Of SET-OUTPUT-ENCODING-UTF-8; an empty string stands for the configuration's default. */
  readonly codePage: string | undefined;
  /** Undefined: no tag lays out a PDF. */
  readonly pdf: PdfUses | undefined;
  /** Of SET-INITIAL-TIMEOUT. */
  readonly initialTimeoutSeconds: number | undefined;
  /** Options that concern host fields and traces, as last set or unset by the page. */
  readonly hostOptions: ReadonlyMap<string, boolean>;
}

/** A template compiled once, rendered any number of times. */
export interface CompiledTemplate {
  readonly file: string;
  /** Without a declaration of delimiters: the file is static and its one segment is its text. */
  readonly isStatic: boolean;
  readonly segments: readonly Segment[];
  /** The names of the variables the page speaks of; their index is how nodes refer to them. */
  readonly variables: readonly string[];
  /** Bare, no charset. */
  readonly contentType: string;
  /** The charset at the beginning of the page: `UTF-8`, `ISO-8859-1` … */
  readonly charset: string;
  readonly uses: TemplateUses;
  /** Each recognised tag as `FIELD : TAG (params)` (reference 2.0, upload check). */
  readonly tags: readonly string[];
  readonly warnings: readonly SourceDiagnostic[];
}

/** A file of a template directory that is served as it is. */
export interface StaticFile {
  readonly kind: 'static';
  /** The bytes as they are in the file. */
  readonly body: Buffer;
  readonly contentType: string;
  /** In quotes, as the header wants it. */
  readonly etag: string;
  readonly lastModified: Date;
  /** Of an HTML page, as a browser reads them. */
  readonly inlineScripts: ReadonlySet<string>;
  /** About text that looks like tags, which a static file sends as it is. */
  readonly warnings: readonly SourceDiagnostic[];
}

/** A file of a template directory that is rendered. */
export interface TemplateFile {
  readonly kind: 'template';
  readonly template: CompiledTemplate;
}

/** A file found in a template directory: a page, a request template, or a static file. */
export type FoundFile = StaticFile | TemplateFile;

/** Undefined if there is none of that name. A promise only if disk access is needed. */
export type FoundSoon = FoundFile | undefined | Promise<FoundFile | undefined>;

/** Finds a file of a directory, ignoring case. Undefined also if there is no such directory. */
export type FindFile = (directory: string, name: string) => FoundSoon;

export function warningsOf(file: FoundFile): readonly SourceDiagnostic[] {
  return file.kind === 'static' ? file.warnings : file.template.warnings;
}
