import type { MacroLevel } from '../macros/macro-directory.js';
import type { LineReport } from '../operation/line-operations.js';
import { nodeNamed } from '../operation/node-load.js';
import type { PoolReport } from '../operation/server-figures.js';
import {
  drainNode,
  listedSessions,
  readTrace,
  sentMessage,
  sentTrace,
  traceStartPaths,
} from './operation/admin-answers.js';
import {
  type ActForm,
  administrators,
  form,
  type Operation,
  operation,
  operationWith,
  operators,
  page,
  report,
  tracers,
  users,
} from './operation/declared-operation.js';
import type { AdminRoute } from './operation/operation-request.js';
import { auditExport, auditPage } from './portal/audit-page.js';
import { configurationPage, reloadConfiguration, reloadPage } from './portal/configuration-pages.js';
import { consoleEvents } from './portal/console-events.js';
import {
  draftListPage,
  draftPage,
  draftRemovalPage,
  draftScreensDownload,
  draftServiceDownload,
  removeDraft,
} from './portal/draft-pages.js';
import { addGroup, groupListPage, groupRemovalPage, removeGroup } from './portal/group-pages.js';
import { chooseLanguage, languagePage } from './portal/language-choice-route.js';
import {
  lineDrained,
  lineDrainPage,
  lineListPage,
  linePage,
  lineStarted,
  lineStartPage,
  lineStopPage,
  lineStopped,
  liveLinePage,
} from './portal/line-pages.js';
import { loadedPage } from './portal/loaded-page.js';
import { logPage } from './portal/log-page.js';
import { macroListPage } from './portal/macro-list-page.js';
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
} from './portal/macro-pages.js';
import { chooseNode, nodeChoicePage, nodeDrained, nodeDrainPage, nodeListPage } from './portal/node-pages.js';
import { overview } from './portal/overview.js';
import { poolDrained, poolDrainPage, poolResumed, poolResumptionPage } from './portal/pool-pages.js';
import type { AnswerPortalRequest, PortalOutcome, PortalRequest, PortalRoute } from './portal/portal-route.js';
import { publicationPage, publishDraft } from './portal/publication-pages.js';
import { serviceTrialPage, tryService } from './portal/service-trial-page.js';
import { sessionListPage } from './portal/session-list-page.js';
import {
  messageSent,
  sessionEnded,
  sessionEndPage,
  sessionPage,
  toSession,
  typedMessage,
  watchPage,
} from './portal/session-pages.js';
import { addToken, revokeToken, tokenListPage, tokenRevocationPage } from './portal/token-pages.js';
import {
  toTraces,
  traceForEmulators,
  traceListPage,
  traceRemovalPage,
  traceRemoved,
  traceStarted,
  traceStopped,
  traceText,
  typedTrace,
} from './portal/trace-pages.js';
import { userListPage } from './portal/user-list-page.js';
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
} from './portal/user-page.js';

/*
 * All requests that a portal line answers, except `/SECURE/`, `/signoff` and files: the pages of the portal and the
 * admin API (docs/run/operation.md). `npm run access-table` writes them to docs/run/access.md.
 */

function lineOperation(act: 'start' | 'drain' | 'stop', lineForm: ActForm<LineReport>): Operation {
  return operation(`/lines/:name/${act}`, operators, {
    act: ({ portal, actor, segment }) => portal.lines[act](actor, segment('name')),
    form: lineForm,
    json: (line) => line,
    isForAllWorkers: true,
  });
}

function poolOperation(act: 'drain' | 'resume', poolForm: ActForm<PoolReport>): Operation {
  return operation(`/pools/:name/${act}`, operators, {
    act: ({ portal, actor, segment }) => portal.pools[act](actor, segment('name')),
    form: poolForm,
    json: (pool) => pool,
    isForAllWorkers: true,
  });
}

function macroOperations(level: MacroLevel, path: string): readonly Operation[] {
  const of = (answer: (request: PortalRequest, level: MacroLevel) => Promise<PortalOutcome>): AnswerPortalRequest => {
    return (request) => answer(request, level);
  };
  const version = `${path}/versions/:number`;
  return [
    form(path, administrators, of(macroDirectoryPage), of(uploadMacros), { takes: 'upload', readers: operators }),
    page(`${path}/macros.json`, operators, of(macroDownload)),
    form(`${path}/remove`, administrators, of(removalPage), of(removeMacros)),
    page(version, operators, of(macroVersionPage)),
    page(`${version}/macros.json`, operators, of(macroVersionDownload)),
    form(`${version}/restore`, administrators, of(restorationPage), of(restoreMacros)),
  ];
}

const topics =
  'without a topic. 200 with `?topic=sessions`, `overview`, `lines`, `loaded:…` and `log:…`; for administrators also with `configuration` and `screen:…`';
const onlyInClusters = {
  asked: { status: 404, note: '200 for a server of the cluster' },
  sent: { status: 404, note: '303 for a server of the cluster' },
};

const operations: readonly Operation[] = [
  page('/', operators, overview, { live: { topic: 'overview', view: overview } }),
  page('/console/events', operators, consoleEvents, { status: 400, note: topics }),
  form('/language', users, languagePage, chooseLanguage, {
    asked: { status: 303, note: 'redirects to the overview' },
    sent: { withoutSignOn: 303, note: 'sets the language of the browser; also from the sign-on form' },
  }),
  report('/sessions', operators, listedSessions, sessionListPage),
  report('/sessions/:id', operators, ({ portal, segment }) => portal.sessions.report(segment('id')), sessionPage),
  operationWith('/sessions/:id/message', operators, {
    typed: typedMessage,
    read: sentMessage,
    act: ({ portal, actor, segment }, text) => portal.sessions.send(actor, segment('id'), text),
    form: { page: toSession, done: messageSent, asked: { status: 303, note: 'redirects to the session' } },
    json: (_, { segment }) => ({ id: segment('id') }),
  }),
  operation('/sessions/:id/end', operators, {
    act: ({ portal, actor, segment }) => portal.sessions.end(actor, segment('id')),
    form: { page: sessionEndPage, done: sessionEnded },
    json: (_, { segment }) => ({ id: segment('id'), state: 'ending' }),
  }),
  page('/sessions/:id/watch', administrators, watchPage),
  page('/macros', operators, macroListPage),
  ...macroOperations('global', '/macros/global'),
  ...macroOperations('group', '/macros/group/:name'),
  ...macroOperations('user', '/macros/user/:name'),
  report('/lines', operators, ({ portal }) => ({ lines: portal.lines.list() }), lineListPage, {
    live: { topic: 'lines', view: lineListPage },
  }),
  report('/lines/:name', operators, ({ portal, segment }) => portal.lines.report(segment('name')), linePage, {
    live: { topic: 'line', view: liveLinePage },
  }),
  lineOperation('start', { page: lineStartPage, done: lineStarted, sent: { note: 'a drained line' } }),
  lineOperation('drain', { page: lineDrainPage, done: lineDrained }),
  lineOperation('stop', {
    page: lineStopPage,
    done: lineStopped,
    sent: { status: 409, note: 'for the only portal line; 303 for others' },
  }),
  report('/nodes', operators, ({ portal }) => ({ nodes: portal.nodes.nodes }), nodeListPage, {
    live: { topic: 'nodes', view: nodeListPage },
  }),
  report('/nodes/:code', operators, ({ portal, segment }) => nodeNamed(portal.nodes, segment('code'))),
  operation('/nodes/:code/drain', operators, {
    act: drainNode,
    form: { page: nodeDrainPage, done: nodeDrained, ...onlyInClusters },
    json: (node) => ({ ...node, state: 'draining' }),
  }),
  form('/nodes/:code/choose', operators, nodeChoicePage, chooseNode, onlyInClusters),
  report('/pools', operators, ({ portal }) => ({ pools: portal.pools.list() })),
  report('/pools/:name', operators, ({ portal, segment }) => portal.pools.report(segment('name'))),
  poolOperation('drain', { page: poolDrainPage, done: poolDrained }),
  poolOperation('resume', { page: poolResumptionPage, done: poolResumed, sent: { note: 'a drained pool' } }),
  report('/printers', operators, ({ portal }) => ({ printers: portal.figures.printers })),
  operation('/server/drain', operators, {
    act: ({ portal, actor }) => portal.server.drain(actor),
    json: () => ({ state: 'draining' }),
  }),
  operation('/server/restart', operators, {
    act: ({ portal, actor }) => portal.server.restart(actor),
    json: () => ({ state: 'restarting' }),
  }),
  page('/loaded', operators, loadedPage, { live: { topic: 'loaded', view: loadedPage } }),
  form('/loaded/services/:name', administrators, serviceTrialPage, tryService, {
    sent: { status: 200, note: "shows the service's answer" },
  }),
  page('/configuration', administrators, configurationPage, {
    live: { topic: 'configuration', view: configurationPage },
  }),
  form('/configuration/reload', administrators, reloadPage, reloadConfiguration, {
    asked: { note: 'checks the file' },
  }),
  page('/drafts', operators, draftListPage),
  page('/drafts/:id', operators, draftPage),
  page('/drafts/:id/service.yaml', operators, draftServiceDownload),
  page('/drafts/:id/screens.yaml', operators, draftScreensDownload),
  form('/drafts/:id/publish', administrators, publicationPage, publishDraft, {
    sent: { status: 200, note: 'checks the draft; 303 if it publishes' },
  }),
  form('/drafts/:id/remove', administrators, draftRemovalPage, removeDraft),
  page('/users', operators, userListPage),
  form('/new/user', administrators, newUserPage, addUser),
  form('/users/:name', administrators, userPage, changeUser, { readers: operators }),
  form('/users/:name/password', administrators, passwordPage, setPassword),
  form('/users/:name/unlock', administrators, unlockPage, unlockUser, {
    asked: { status: 303, note: 'redirects to the user' },
  }),
  form('/users/:name/remove', administrators, userRemovalPage, removeUser),
  form('/groups', administrators, groupListPage, addGroup, { readers: operators }),
  form('/groups/:name/remove', administrators, groupRemovalPage, removeGroup),
  form('/tokens', administrators, tokenListPage, addToken, {
    readers: operators,
    sent: { status: 200, note: 'the only page that shows the token' },
  }),
  form('/tokens/:name/revoke', administrators, tokenRevocationPage, revokeToken),
  page('/log', operators, logPage),
  report('/traces', tracers, async ({ portal }) => ({ traces: await portal.traces.list() })),
  operationWith('/traces', tracers, {
    typed: typedTrace,
    read: sentTrace,
    act: ({ portal, actor }, { subject, wish }) => portal.traces.start(actor, subject, wish),
    form: { page: traceListPage, done: traceStarted },
    json: (name) => ({ name }),
    paths: traceStartPaths,
  }),
  report('/traces/:name', tracers, readTrace),
  page('/traces/:name/trace.txt', tracers, traceText, { note: 'recorded in the audit trail' }),
  page('/traces/:name/trace.trc', tracers, traceForEmulators, {
    note: 'only for traces of a session; recorded in the audit trail',
  }),
  operation('/traces/:name/stop', tracers, {
    act: ({ portal, actor, segment }) => portal.traces.stop(actor, segment('name')),
    form: { page: toTraces, done: traceStopped, asked: { status: 303, note: 'redirects to the traces' } },
    json: (_, { segment }) => ({ name: segment('name') }),
  }),
  operation('/traces/:name/remove', tracers, {
    act: ({ portal, actor, segment }) => portal.traces.remove(actor, segment('name')),
    form: { page: traceRemovalPage, done: traceRemoved },
    json: (_, { segment }) => ({ name: segment('name') }),
  }),
  page('/audit', operators, auditPage),
  page('/audit/export', operators, auditExport, { note: 'recorded in the audit trail' }),
];

export const portalRoutes: readonly PortalRoute[] = operations.flatMap(({ pages = [] }) => pages);
export const adminRoutes: readonly AdminRoute[] = operations.flatMap(({ requests = [] }) => requests);
