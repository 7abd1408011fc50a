import { atOnce } from '../../src/lib/turns/work-in-turns.js';
import type { CompiledTemplate } from '../../src/templates/compiled-template.js';
import { type RenderedPage, rendition } from '../../src/templates/render.js';
import type { Capability, RenderContext } from '../../src/templates/render-context.js';
import type { RenderLimits } from '../../src/templates/rendering.js';

/** What a test says of the world a template is rendered in; what it leaves out does not exist there. */
export interface ContextInput {
  readonly variables?: Readonly<Record<string, readonly string[]>>;
  readonly names?: Readonly<Record<string, string>>;
  readonly numbers?: Readonly<Record<string, number>>;
  readonly conditions?: Readonly<Record<string, string>>;
  readonly publicKeys?: Readonly<Record<string, Readonly<Record<'EXPONENT' | 'MODULUS', string>>>>;
  readonly encryption?: Readonly<Record<string, readonly string[]>>;
  readonly prefixCode?: string;
  readonly sessionCode?: string;
  readonly ajaxSessionCode?: string;
  readonly userSignonCode?: string;
  readonly securityToken?: string;
  readonly isPrintReady?: boolean;
  readonly allowed?: readonly string[];
  readonly capabilities?: Readonly<Record<string, string>>;
  readonly lines?: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
}

export function contextOf(input: ContextInput): RenderContext {
  const variables = new Map(Object.entries(input.variables ?? {}));
  return {
    valuesOf: (variable) => variables.get(variable),
    nameOf: (item) => input.names?.[item],
    numberOf: (item) => input.numbers?.[item],
    condition: (condition) => input.conditions?.[condition],
    publicKey: (part, cryptName) => input.publicKeys?.[cryptName]?.[part],
    encryptionParameters: (cryptName) => input.encryption?.[cryptName],
    prefixCode: input.prefixCode ?? '',
    sessionCode: input.sessionCode,
    ajaxSessionCode: input.ajaxSessionCode,
    userSignonCode: input.userSignonCode,
    securityToken: input.securityToken,
    isPrintReady: input.isPrintReady ?? false,
    isUserAllowedTo: (resource) => input.allowed?.includes(resource) ?? false,
    capabilities: new Map(Object.entries(input.capabilities ?? {}) as [Capability, string][]),
    addressOfLine: (line) => input.lines?.[line],
    defaultCodePage: 'IBM1147',
  };
}

/** However long it takes. */
export function renderAtOnce(
  template: CompiledTemplate,
  context: RenderContext,
  options: { readonly limits?: Partial<RenderLimits> } = {},
): RenderedPage {
  return atOnce(rendition(template, context, options));
}
