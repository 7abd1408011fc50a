import type { Role, SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { CompiledTemplate } from '../../templates/compiled-template.js';
import { type RenderedPage, render, sessionlessContext } from '../../templates/render.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest } from '../http/client-request.js';
import { type ClientSite, findProductPage } from '../http/client-site.js';
import type { ErrorHeaders } from '../http/error-response.js';
import { requestNames } from '../http/request-names.js';
import type { PagePath, RequestTarget } from '../http/request-path.js';
import { withHeaders } from '../http/response-headers.js';
import { renderedHeaders } from '../pages/page-rendering.js';
import { asPrivate } from '../sessions/session-rendering.js';
import type { SignedOn } from '../sign-on/signed-on-user.js';
import { hasRole } from '../sign-on/site-security.js';
import { languageVariables } from '../words/language-choice.js';
import { languageOf, portalWords } from '../words/page-words.js';
import { type PortalWord, PortalWording } from '../words/portal-wording.js';
import { noticeOf } from './portal-paths.js';
import type { PageVariables, PortalOutcome } from './portal-route.js';

/** The frame around the content of pages: head, navigation, signed-on user, notice and error. */
const FRAME_PAGE = 'FRAME.HTML';

/** A page begins with its title, after its declarations. A complete document does not. */
const TITLE = /^\s*<title>([^<]*)<\/title>\n/;

/**
 * A page of the portal. Its template contains a title and the content, which are inserted into the frame. A template with a complete
 * document is shown unchanged.
 * @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN if the page does not exist
 */
export async function portalPage(
  site: ClientSite,
  request: ClientRequest<PagePath>,
  signedOn: SignedOn,
  { page, variables, status = 200, headers = [] }: PortalOutcome & { readonly kind: 'page' },
): Promise<Answer> {
  const known = { ...frameVariables(site, request, signedOn.user), ...variables };
  const rendered = await renderPage(site, request, signedOn, page, known);
  const title = TITLE.exec(rendered.text);
  if (title === null) return pageAnswer(status, headers, rendered, rendered);
  const content = rendered.text.slice(title[0].length);
  const framed = await renderPage(site, request, signedOn, FRAME_PAGE, {
    ...known,
    '$PAGE-TITLE$': [title[1] ?? ''],
    '$PAGE-CONTENT$': [content],
  });
  return pageAnswer(status, headers, rendered, framed);
}

/** Headers and status come from the page, not from the frame. */
function pageAnswer(
  status: number,
  further: ErrorHeaders,
  { headers, cache }: RenderedPage,
  { contentType, body }: RenderedPage,
): Answer {
  const rendered = renderedHeaders({ contentType, body, headers, cache });
  return asPrivate({ status, headers: withHeaders(rendered, further), body });
}

async function renderPage(
  site: ClientSite,
  request: ClientRequest<PagePath>,
  { user, signOn }: SignedOn,
  page: string,
  variables: PageVariables,
): Promise<RenderedPage> {
  const template = await templateOf(site, page);
  const names = {
    ...requestNames(site, request, {
      page,
      directory: site.entryPoint.definition.directory,
      transaction: undefined,
      routingParameter: undefined,
      user,
    }),
    wordsOf: portalWords(languageOf(request.incoming), variables),
  };
  const context = sessionlessContext(template, {
    valuesOf: (variable) => variables[variable.toUpperCase()],
    names,
    trace: undefined,
    codePage: site.defaultCodePage,
  });
  return render(template, {
    ...context,
    securityToken: signOn.securityToken,
    condition: (condition) => (condition === 'SIGNON-IS-OK' ? user.name : undefined),
  });
}

async function templateOf(site: ClientSite, page: string): Promise<CompiledTemplate> {
  const found = await findProductPage(site, page);
  if (found?.kind !== 'template') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  return found.template;
}

/** Variables of every page. */
function frameVariables(
  { nodes, sessions }: ClientSite,
  { incoming, path, target, parameters }: ClientRequest<PagePath>,
  user: SecurityUser,
): PageVariables {
  const words = PortalWording.of(languageOf(incoming));
  const notice = noticeOf(parameters.get('done')?.[0] ?? '', words);
  // the answer to a form cannot be shown again
  const isPage = incoming.method !== 'POST';
  return {
    ...roleVariables(user.role, words),
    ...(isPage ? languageVariables(words.language, addressWithoutNotice(target)) : {}),
    $NOTICE$: notice === undefined ? undefined : [notice],
    $SERVER$: nodes === undefined || sessions.node === undefined ? undefined : [sessions.node],
    ...sectionVariables(path, user, nodes !== undefined, words),
  };
}

function addressWithoutNotice({ path, query }: RequestTarget): string {
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('done='));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

interface Section {
  readonly name: Extract<PortalWord, `section.${string}`>;
  readonly path: string;
  /** First segments of further paths that belong to the section. */
  readonly others?: readonly string[];
  /** Minimum role that sees the section; default: operator. */
  readonly role?: Role;
  /** Shown only if there are several servers. */
  readonly isOfCluster?: true;
}

/** Parts of the portal, in the order of its navigation. */
const sections: readonly Section[] = [
  { name: 'section.overview', path: '/' },
  { name: 'section.sessions', path: '/sessions' },
  { name: 'section.lines', path: '/lines', others: ['pools'] },
  { name: 'section.nodes', path: '/nodes', isOfCluster: true },
  { name: 'section.loaded', path: '/loaded' },
  { name: 'section.configuration', path: '/configuration', role: 'administrator' },
  { name: 'section.macros', path: '/macros' },
  { name: 'section.drafts', path: '/drafts' },
  { name: 'section.users', path: '/users', others: ['new'] },
  { name: 'section.groups', path: '/groups' },
  { name: 'section.tokens', path: '/tokens' },
  { name: 'section.log', path: '/log' },
  { name: 'section.traces', path: '/traces', role: 'administrator' },
  { name: 'section.audit', path: '/audit' },
];

/** Variables of every page about the role of its user. */
export function roleVariables(role: Role, words: PortalWording): PageVariables {
  return { '$MAY-CHANGE$': role === 'administrator' ? ['yes'] : undefined, $ROLE$: [words.text(`role.${role}`)] };
}

/** Variables of the navigation: the sections for this user, and the current section. */
function sectionVariables(
  { directories, page }: PagePath,
  user: SecurityUser,
  hasCluster: boolean,
  words: PortalWording,
): PageVariables {
  const first = ([...directories, page][0] ?? '').toLowerCase();
  const current = directories.length === 0 ? 'page' : 'true';
  const isIn = ({ path, others = [] }: Section) => path === `/${first}` || others.includes(first);
  const shown = sections.filter(
    ({ role, isOfCluster }) => (role === undefined || hasRole(user, role)) && (hasCluster || isOfCluster !== true),
  );
  return {
    $SECTION$: shown.map(({ name }) => words.text(name)),
    '$SECTION-PATH$': shown.map(({ path }) => path),
    '$SECTION-CURRENT$': shown.map((section) => (isIn(section) ? current : '')),
  };
}
