import { ServiceError } from '../../lib/errors.js';
import { languages } from '../../lib/locale.js';
import type { MacroLevel } from '../../macros/macro-directory.js';
import { isForeignSubmit } from '../http/request-origin.js';
import { auditExport, auditPage } from './audit-page.js';
import { configurationPage, reloadConfiguration, reloadPage } from './configuration-pages.js';
import {
  draftListPage,
  draftPage,
  draftRemovalPage,
  draftScreensDownload,
  draftServiceDownload,
  removeDraft,
} from './draft-pages.js';
import { addGroup, groupListPage, groupRemovalPage, removeGroup } from './group-pages.js';
import { chooseLanguage, languagePage } from './language-choice-route.js';
import {
  drainLine,
  lineDrainPage,
  lineListPage,
  linePage,
  lineStartPage,
  lineStopPage,
  startLine,
  stopLine,
} from './line-pages.js';
import { loadedPage } from './loaded-page.js';
import { logPage } from './log-page.js';
import { macroListPage } from './macro-list-page.js';
import {
  macroDirectoryPage,
  macroDownload,
  macroVersionDownload,
  macroVersionPage,
  removalPage,
  removeMacros,
  restorationPage,
  restoreMacros,
  uploadMacros,
} from './macro-pages.js';
import { chooseNode, drainNode, nodeChoicePage, nodeDrainPage, nodeListPage } from './node-pages.js';
import { overview } from './overview.js';
import { drainPool, poolDrainPage, poolResumptionPage, resumePool } from './pool-pages.js';
import type { AnswerPortalRequest, PortalOutcome, PortalRequest, PortalRoute } from './portal-route.js';
import { publicationPage, publishDraft } from './publication-pages.js';
import { serviceTrialPage, tryService } from './service-trial-page.js';
import { sessionListPage } from './session-list-page.js';
import { endSession, sendMessage, sessionEndPage, sessionPage, toSession, watchPage } from './session-pages.js';
import { addToken, revokeToken, tokenListPage, tokenRevocationPage } from './token-pages.js';
import {
  removeTrace,
  startTrace,
  stopTrace,
  toTraces,
  traceForEmulators,
  traceListPage,
  traceRemovalPage,
  traceText,
} from './trace-pages.js';
import { userListPage } from './user-list-page.js';
import {
  addUser,
  changeUser,
  newUserPage,
  passwordPage,
  removeUser,
  setPassword,
  unlockPage,
  unlockUser,
  userPage,
  userRemovalPage,
} from './user-page.js';

/** A page that operators may see. */
const see = (path: string, answer: AnswerPortalRequest): PortalRoute => ({
  method: 'GET',
  path,
  role: 'operator',
  answer,
});

/** A page that only administrators may see. */
const administer = (path: string, answer: AnswerPortalRequest): PortalRoute => ({
  ...see(path, answer),
  role: 'administrator',
});

/** A form, by default for administrators, and its operation. Both have the same address, so that a sign-on in between leads to the form. */
const form = (
  path: string,
  page: AnswerPortalRequest,
  answer: AnswerPortalRequest,
  role: 'operator' | 'administrator' = 'administrator',
): readonly PortalRoute[] => [
  { method: 'GET', path, role, answer: page },
  { method: 'POST', path, role, takes: 'fields', answer, form: page },
];

/** A page that operators may see, and the form on it that administrators send. */
const pageWithForm = (
  path: string,
  page: AnswerPortalRequest,
  answer: AnswerPortalRequest,
  takes: 'fields' | 'upload' = 'fields',
): readonly PortalRoute[] => [
  see(path, page),
  { method: 'POST', path, role: 'administrator', takes, answer, form: page },
];

type AnswerMacroRequest = (request: PortalRequest, level: MacroLevel) => Promise<PortalOutcome>;

/** The pages of a macro directory. */
function macroRoutes(level: MacroLevel, path: string): readonly PortalRoute[] {
  const of = (answer: AnswerMacroRequest): AnswerPortalRequest => {
    return (request) => answer(request, level);
  };
  return [
    ...pageWithForm(path, of(macroDirectoryPage), of(uploadMacros), 'upload'),
    see(`${path}/macros.json`, of(macroDownload)),
    ...form(`${path}/remove`, of(removalPage), of(removeMacros)),
    see(`${path}/versions/:number`, of(macroVersionPage)),
    see(`${path}/versions/:number/macros.json`, of(macroVersionDownload)),
    ...form(`${path}/versions/:number/restore`, of(restorationPage), of(restoreMacros)),
  ];
}

/** All paths of a portal line except `/SECURE/`, `/signoff` and files. */
export const portalRoutes: readonly PortalRoute[] = [
  see('/', overview),
  see('/console/events', consoleEvents),
  { method: 'GET', path: '/language', role: 'user', answer: languagePage },
  { method: 'POST', path: '/language', role: 'user', takes: 'fields', answer: chooseLanguage },
  see('/sessions', sessionListPage),
  see('/sessions/:id', sessionPage),
  ...form('/sessions/:id/message', toSession, sendMessage, 'operator'),
  ...form('/sessions/:id/end', sessionEndPage, endSession, 'operator'),
  { method: 'GET', path: '/sessions/:id/watch', role: 'administrator', answer: watchPage },
  see('/macros', macroListPage),
  ...macroRoutes('global', '/macros/global'),
  ...macroRoutes('group', '/macros/group/:name'),
  ...macroRoutes('user', '/macros/user/:name'),
  see('/lines', lineListPage),
  see('/lines/:name', linePage),
  ...form('/lines/:name/start', lineStartPage, startLine, 'operator'),
  ...form('/lines/:name/drain', lineDrainPage, drainLine, 'operator'),
  ...form('/lines/:name/stop', lineStopPage, stopLine, 'operator'),
  see('/nodes', nodeListPage),
  ...form('/nodes/:code/drain', nodeDrainPage, drainNode, 'operator'),
  ...form('/nodes/:code/choose', nodeChoicePage, chooseNode, 'operator'),
  ...form('/pools/:name/drain', poolDrainPage, drainPool, 'operator'),
  ...form('/pools/:name/resume', poolResumptionPage, resumePool, 'operator'),
  see('/loaded', loadedPage),
  ...form('/loaded/services/:name', serviceTrialPage, tryService),
  administer('/configuration', configurationPage),
  ...form('/configuration/reload', reloadPage, reloadConfiguration),
  see('/drafts', draftListPage),
  see('/drafts/:id', draftPage),
  see('/drafts/:id/service.yaml', draftServiceDownload),
  see('/drafts/:id/screens.yaml', draftScreensDownload),
  ...form('/drafts/:id/publish', publicationPage, publishDraft),
  ...form('/drafts/:id/remove', draftRemovalPage, removeDraft),
  see('/users', userListPage),
  ...form('/new/user', newUserPage, addUser),
  ...pageWithForm('/users/:name', userPage, changeUser),
  ...form('/users/:name/password', passwordPage, setPassword),
  ...form('/users/:name/unlock', unlockPage, unlockUser),
  ...form('/users/:name/remove', userRemovalPage, removeUser),
  ...pageWithForm('/groups', groupListPage, addGroup),
  ...form('/groups/:name/remove', groupRemovalPage, removeGroup),
  ...pageWithForm('/tokens', tokenListPage, addToken),
  ...form('/tokens/:name/revoke', tokenRevocationPage, revokeToken),
  see('/log', logPage),
  ...form('/traces', traceListPage, startTrace),
  administer('/traces/:name/trace.txt', traceText),
  administer('/traces/:name/trace.trc', traceForEmulators),
  ...form('/traces/:name/stop', toTraces, stopTrace),
  ...form('/traces/:name/remove', traceRemovalPage, removeTrace),
  see('/audit', auditPage),
  see('/audit/export', auditExport),
];

/** Events for live pages of the console: `?topic=sessions`, with one parameter for each topic. */
async function consoleEvents(asked: PortalRequest): Promise<PortalOutcome> {
  const { portal, user, actor, current, topics, words } = asked;
  const { incoming, parameters } = asked.request;
  if (incoming.method !== 'GET') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
  // watching is recorded and the user is notified, so pages of other sites must not start it
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  // the language of the live page; the cookie may have changed since then
  const [wanted] = parameters.get('language') ?? [];
  const language = languages.find((known) => known === wanted) ?? words.language;
  const viewer = { user, current, language };
  const stream = await portal.streams.open(viewer, actor, parameters.get('topic') ?? [], topics);
  return { kind: 'stream', stream };
}
