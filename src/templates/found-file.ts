import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { CompiledTemplate } from './compiled-template.js';

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
