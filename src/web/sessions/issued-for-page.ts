import type { BrowserSession } from '../../sessions/browser-session.js';
import type { SessionService } from '../../sessions/session-service.js';
import type { TemplateUses } from '../../templates/compiled-template.js';
import type { Capability, CapabilityTokens } from '../../templates/render-context.js';
import type { SiteMacros } from '../http/client-site.js';

const OWN_DIRECTORY = 'GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID' satisfies Capability;

/** What was made for one page of a session before it is rendered. */
export interface IssuedForPage {
  /** The code of SESSION-CODE; undefined: the page asks for none. */
  readonly code: string | undefined;
  readonly capabilities: CapabilityTokens;
}

/** Has made what a page of a session says it issues. */
export async function issueForPage(
  uses: TemplateUses,
  session: BrowserSession,
  { registry }: SessionService,
  macros: SiteMacros | undefined,
): Promise<IssuedForPage> {
  const { user } = session.facts;
  const mayUseMacros = macros !== undefined && user !== '' && uses.capabilities.includes(OWN_DIRECTORY);
  // a page without a key is better than none
  const key = mayUseMacros
    ? await macros.service.issueKey({ level: 'user', name: user }, user).catch(() => undefined)
    : undefined;
  return {
    code: uses.sessionCode ? registry.changeCode(session) : undefined,
    capabilities: new Map(key === undefined ? [] : [[OWN_DIRECTORY, key]]),
  };
}
