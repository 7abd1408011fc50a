import { type Capability, capabilities } from '../render-context.js';
import type { CacheRule, Rendering, TemplateNode } from '../rendering.js';
import { type TagFamily, type TemplateBuilder, withListAndString, withString } from '../template-builder.js';

const capabilityTypes: readonly string[] = capabilities;

function isCapability(type: string): type is Capability {
  return capabilityTypes.includes(type);
}

/** The server appends the token without a blank (reference 5.4). */
const capabilityHeader = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):$/;

function addCapability(rendering: Rendering, type: Capability, header: string): void {
  const token = rendering.context.capabilities?.get(type);
  if (token === undefined) return;
  rendering.addHeader(header, token);
  rendering.tightHeaders.add(header);
}

/** Headers written by the server; a second header, or a false one about the body, would break the message. */
const reservedHeaders: Readonly<Record<string, string>> = {
  'content-type': 'SET-CONTENT-TYPE sets it',
  'content-length': 'the server counts it',
  'content-encoding': 'the server decides it',
  'transfer-encoding': 'the server decides it',
  connection: 'the server decides it',
  'keep-alive': 'the server decides it',
  upgrade: 'the server decides it',
  trailer: 'the server decides it',
  te: 'the server decides it',
  date: 'the server writes it',
  server: 'the server writes it',
};

/** RFC 9110: a token, a colon, a value of visible characters, blanks and tabs, but no line breaks. */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):[ \t]*([\x20-\x7e\t]*)$/;
const mediaType = /^[!#$&^_.+0-9A-Za-z-]{1,64}\/[!#$&^_.+0-9A-Za-z-]{1,64}(?:;[\x20-\x7e]{0,120})?$/;

class ResponseChange implements TemplateNode {
  constructor(readonly render: (rendering: Rendering) => void) {}
}

/** Reference 2.10: these take effect when rendered, so conditions apply; the last rendered tag counts. */
export const httpTags: TagFamily = {
  'SET-HTTP-RETURN-CODE': withString((builder, tag) => {
    const match = /^([2-5]\d\d)(?: ([\x20-\x7e]{0,128}))?$/.exec(tag.strings[0] ?? '');
    if (match === null) {
      return builder.report(
        tag.offset,
        `${tag.name} takes a status from 200 to 599 and its text, for example "404 Not found"`,
      );
    }
    const status = Number(match[1]);
    const reason = match[2] === undefined || match[2] === '' ? undefined : match[2];
    change(builder, (rendering) => {
      rendering.status = status;
      rendering.reason = reason;
    });
  }),
  'SET-HEADER': withListAndString((builder, tag) => {
    const [type = '', ...others] = tag.parameters ?? [];
    if (isCapability(type) && others.length === 0) {
      const header = capabilityHeader.exec(tag.strings[0] ?? '')?.[1];
      if (header === undefined) {
        builder.report(
          tag.offset,
          `${tag.name} (${type}) takes the name of a header and a colon, "x-Svc-user-Directory:"`,
        );
      } else {
        if (!builder.uses.capabilities.includes(type)) builder.uses.capabilities.push(type);
        change(builder, (rendering) => addCapability(rendering, type, header));
      }
      return;
    }
    if (type !== 'AS-IS' || others.length > 0)
      return builder.report(tag.offset, `${tag.name} takes (AS-IS) or a capability type; ${type} is not known`);
    const match = headerLine.exec(tag.strings[0] ?? '');
    const name = match?.[1] ?? '';
    const reserved = Object.hasOwn(reservedHeaders, name.toLowerCase())
      ? reservedHeaders[name.toLowerCase()]
      : undefined;
    if (match === null) {
      builder.report(tag.offset, `${tag.name} takes one header line "Name: value" of printable ASCII characters`);
    } else if (reserved !== undefined) {
      builder.report(tag.offset, `${tag.name} cannot set ${name}: ${reserved}`);
    } else {
      const value = (match[2] ?? '').trim();
      change(builder, (rendering) => rendering.addHeader(name, value));
    }
  }),
  // compile.ts determines the content type before it compiles, because it affects the escapes of the whole page
  'SET-CONTENT-TYPE': withString((builder, tag) => {
    if (isMediaType(tag.strings[0] ?? '')) return;
    builder.report(tag.offset, `${tag.name} takes a media type, for example "text/html"`);
  }),
  'SET-PAGE-CACHEABLE': cacheTag({ kind: 'cacheable' }),
  'SET-PAGE-NOT-CACHEABLE': cacheTag({ kind: 'notCacheable' }),
  'SET-MAX-AGE': withString((builder, tag) => {
    const written = tag.strings[0] ?? '';
    if (!/^\d{1,9}$/.test(written)) return builder.report(tag.offset, `${tag.name} takes seconds, from 0 to 999999999`);
    change(builder, setCache({ kind: 'maxAge', seconds: Number(written) }));
  }),
};

export function isMediaType(type: string): boolean {
  return mediaType.test(type);
}

function cacheTag(rule: CacheRule): TagFamily[string] {
  return { parameters: 'none', string: 'optional', compile: (builder) => change(builder, setCache(rule)) };
}

function setCache(rule: CacheRule): (rendering: Rendering) => void {
  return (rendering) => {
    rendering.cache = rule;
  };
}

function change(builder: TemplateBuilder, act: (rendering: Rendering) => void): void {
  builder.append(new ResponseChange(act));
}
