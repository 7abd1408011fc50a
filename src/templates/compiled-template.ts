import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { Capability } from './render-context.js';
import type { PdfUses, Segment } from './rendering.js';

export interface DeclaredField {
  readonly field: string;
  /** USERNAME, PASSWORD, NEW-PASSWORD, HEX, BASE64, ENCRYPTED, CRYPTO-SESSION-KEY. */
  readonly attributes: readonly string[];
}

export interface TemplateUses {
  /** Crypt names of PUBLIC-KEY, each of which requires a key pair. */
  readonly publicKeys: readonly string[];
  /** Crypt names of ENCRYPTION-PARAMETERS. */
  readonly encryptionParameters: readonly string[];
  /** True if SESSION-CODE requires a new code for each page. */
  readonly sessionCode: boolean;
  /** Capabilities of SET-HEADER that require a token for each page. */
  readonly capabilities: readonly Capability[];
  /** Field of DEFINE-HTML-PFKEY, DEFINE-HTML-FOCUS-FIELD or DEFINE-CURSOR-POSITION-FIELD. */
  readonly attentionKeyField: string | undefined;
  readonly focusField: string | undefined;
  readonly cursorField: string | undefined;
  readonly declaredFields: readonly DeclaredField[];
  /** Field declared CRYPTO-SESSION-KEY. */
  readonly sessionKeyField: string | undefined;
  /** Attention keys in the form PF01; undefined if the page does not restrict them. */
  readonly validKeys: readonly string[] | undefined;
  readonly invalidKeys: readonly string[] | undefined;
  /** Code page of SET-OUTPUT-ENCODING-UTF-8; an empty string means the default of the configuration. */
  readonly codePage: string | undefined;
  readonly pdf: PdfUses | undefined;
  /** SET-INITIAL-TIMEOUT. */
  readonly initialTimeoutSeconds: number | undefined;
  /** Final values of the options for host fields and traces. */
  readonly hostOptions: ReadonlyMap<string, boolean>;
}

export interface CompiledTemplate {
  readonly file: string;
  /** True without a declaration of delimiters; the only segment is then the text of the file. */
  readonly isStatic: boolean;
  readonly segments: readonly Segment[];
  readonly variables: readonly string[];
  /** Without charset. */
  readonly contentType: string;
  readonly charset: string;
  readonly uses: TemplateUses;
  /** Each recognized tag as `FIELD : TAG (params)` (reference 2.0, upload check). */
  readonly tags: readonly string[];
  readonly warnings: readonly SourceDiagnostic[];
}

export interface StaticFile {
  readonly kind: 'static';
  readonly body: Buffer;
  readonly contentType: string;
  /** Including quotation marks. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly inlineScripts: ReadonlySet<string>;
  readonly warnings: readonly SourceDiagnostic[];
}

export interface TemplateFile {
  readonly kind: 'template';
  readonly template: CompiledTemplate;
}

export type FoundFile = StaticFile | TemplateFile;

/** Undefined if there is no such file. A promise only if disk access is needed. */
export type FoundSoon = FoundFile | undefined | Promise<FoundFile | undefined>;

/** Finds a file of a directory, ignoring case. Undefined also if the directory does not exist. */
export type FindFile = (directory: string, name: string) => FoundSoon;

export function warningsOf(file: FoundFile): readonly SourceDiagnostic[] {
  return file.kind === 'static' ? file.warnings : file.template.warnings;
}
