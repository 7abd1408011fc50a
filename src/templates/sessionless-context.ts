import { prefixCodeOf } from '../lib/network/node-code.js';
import type { CompiledTemplate } from './compiled-template.js';
import type { RenderContext } from './render-context.js';

/**
 * Values of the items of NAME-OF, undefined for an item without a value; and other server values for templates.
 * A Map is one.
 */
export interface ItemNames
  extends Partial<Pick<RenderContext, 'addressOfLine' | 'client' | 'isUserAllowedTo' | 'prefixCode'>> {
  get(item: string): string | undefined;
  /** Variables that are words, in the language of the page. */
  readonly wordsOf?: RenderContext['valuesOf'];
}

interface SessionlessValues {
  readonly valuesOf: RenderContext['valuesOf'];
  readonly names: ItemNames;
  /** The trace of a scenario run as JSON (CREATE-VARIABLE-IF (TRACING-SCENARIO)). */
  readonly trace: string | undefined;
  readonly codePage: string;
  readonly isPdf?: boolean;
}

/** The context outside a session: variables and names, but no users, keys or host. */
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
