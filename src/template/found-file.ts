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
}

/** A file of a template directory that is rendered. */
export interface TemplateFile {
  readonly kind: 'template';
  readonly template: CompiledTemplate;
}

/** What a name of a template directory stands for: a page, a template of requests, or a file for whoever asks. */
export type FoundFile = StaticFile | TemplateFile;

/** Undefined where there is none of that name. A promise only where the disk must be looked at. */
export type FoundSoon = FoundFile | undefined | Promise<FoundFile | undefined>;

/** Finds a file of a directory; names in any case. Undefined where there is no such directory, too. */
export type FindFile = (directory: string, name: string) => FoundSoon;
