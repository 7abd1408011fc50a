import type { TagInvocation, TagShape } from './tag-invocation.js';
import type { TemplateBuilder } from './template-builder.js';

/** One entry of the tag table. */
export interface Tag extends TagShape {
  /** For a tag that opens a pair: the name of the tag that closes it. */
  readonly closedBy?: string;
  /** Called for each syntactically valid tag; reports further errors to the builder. */
  readonly compile: (builder: TemplateBuilder, tag: TagInvocation) => void;
}

/** The tags of one file under `tags/`. */
export type TagFamily = Readonly<Record<string, Tag>>;
