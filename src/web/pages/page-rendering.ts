import type { ScenarioPage } from '../../scenarios/scenario-outcome.js';
import type { CompiledTemplate } from '../../templates/compiled-template.js';
import { type ItemNames, type RenderedPage, render, sessionlessContext } from '../../templates/render.js';
import type { Answer } from '../http/answer.js';
import type { ClientSite } from '../http/client-site.js';
import { dynamicHeaders, nextMidnight, withHeaders } from '../http/response-headers.js';

/** Results of a scenario's run for its page; empty without a scenario. */
export type RunValues = Pick<ScenarioPage, 'valuesOf' | 'trace' | 'codePage'>;

export const noRunValues: RunValues = { valuesOf: () => undefined, trace: undefined, codePage: undefined };

export async function renderedAnswer(
  site: ClientSite,
  template: CompiledTemplate,
  names: ItemNames,
  { valuesOf, trace, codePage = site.defaultCodePage }: RunValues,
): Promise<Answer> {
  const result = await render(template, sessionlessContext(template, { valuesOf, names, trace, codePage }));
  return pageAnswer(result);
}

/** Answers with these statuses have no body (RFC 9110, section 15). */
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export function pageAnswer(result: RenderedPage): Answer {
  const { status, reason, tightHeaders, inlineScripts } = result;
  const headers = renderedHeaders(result);
  if (!STATUSES_WITHOUT_BODY.has(status))
    return { status, reason, headers, body: result.body, tightHeaders, inlineScripts };
  const left = headers.filter((_, at) => !/^content-(?:length|type)$/i.test(headers[at - (at % 2)] ?? ''));
  if (status === 205) left.push('Content-Length', '0');
  return { status, reason, headers: left, body: Buffer.alloc(0), tightHeaders };
}

export function renderedHeaders(result: Pick<RenderedPage, 'contentType' | 'body' | 'headers' | 'cache'>): string[] {
  const headers = dynamicHeaders(result.contentType, result.body.length, expiresOf(result));
  const { cache } = result;
  if (cache.kind === 'maxAge') headers.push('Cache-Control', `max-age=${cache.seconds}`);
  return withHeaders(headers, result.headers);
}

function expiresOf({ cache }: Pick<RenderedPage, 'cache'>): string | undefined {
  if (cache.kind === 'cacheable') return nextMidnight(new Date());
  return cache.kind === 'notCacheable' ? '0' : undefined;
}
