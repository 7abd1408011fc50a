import type { Role } from '../access/users/security-database.js';
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
import type { AdminRequest, AdminRoute, OperationRequest } from './operation/operation-request.js';
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
import {
  lineDrained,
  lineDrainPage,
  lineListPage,
  linePage,
  lineStarted,
  lineStartPage,
  lineStopPage,
  lineStopped,
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
import type {
  AnswerPortalRequest,
  DeclaredReply,
  PortalOutcome,
  PortalRequest,
  PortalRoute,
} from './portal/portal-route.js';
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

/** The least role in the portal, and the scope of tokens. Operations without a scope are not in the admin API. */
interface Permission {
  readonly role: Role;
  readonly scope?: AdminRoute['scope'];
}
type TokenPermission = Required<Permission>;

const operators: TokenPermission = { role: 'operator', scope: 'operation' };
const administrators: Permission = { role: 'administrator' };
const tracers: TokenPermission = { role: 'administrator', scope: 'tracing' };

interface Operation {
  readonly pages?: readonly PortalRoute[];
  readonly requests?: readonly AdminRoute[];
}

function page(path: string, { role }: Permission, answer: AnswerPortalRequest, reply?: DeclaredReply): Operation {
  return { pages: [{ method: 'GET', path, role, answer, reply }] };
}

/** @param shown page of the portal */
function report(
  path: string,
  permission: TokenPermission,
  json: AdminRoute['answer'],
  shown?: AnswerPortalRequest,
): Operation {
  const request: AdminRoute = { method: 'GET', path: adminPath(path), scope: permission.scope, answer: json };
  return { requests: [request], ...(shown === undefined ? {} : page(path, permission, shown)) };
}

interface Form {
  /** The page with the form. It has the address of the form, so that a sign-on in between leads back to it. */
  readonly page: AnswerPortalRequest;
  readonly answer: AnswerPortalRequest;
  readonly takes?: 'fields' | 'upload';
  /** Declared replies of the page and of the form. */
  readonly asked?: DeclaredReply | undefined;
  readonly sent?: DeclaredReply | undefined;
}

/** @param readers permission for the page, if it differs */
function form(path: string, permission: Permission, declared: Form, readers: Permission = permission): Operation {
  const { page: shown, answer, takes = 'fields', asked, sent } = declared;
  const { role } = permission;
  const submit: PortalRoute = { method: 'POST', path, role, takes, answer, form: shown, reply: sent };
  return { pages: [...(page(path, readers, shown, asked).pages ?? []), submit] };
}

/** An act of src/operation, by a form of the portal and by a request of the admin API. */
interface Act<Input, Result> {
  /** Reads the input from the form of the portal. */
  readonly typed: (request: PortalRequest) => Input;
  /** Reads the input from the JSON of the admin API. */
  readonly read: (request: AdminRequest) => Input | Promise<Input>;
  readonly act: (request: OperationRequest, input: Input) => Promise<Result>;
  readonly form?: Pick<Form, 'page' | 'asked' | 'sent'> & {
    readonly done: (request: PortalRequest, result: Result) => PortalOutcome | Promise<PortalOutcome>;
  };
  readonly json: (result: Result, request: OperationRequest) => object;
  /** Paths in the admin API, if they differ. */
  readonly paths?: readonly string[];
  readonly isForAllWorkers?: true;
}

function operationWith<Input, Result>(
  path: string,
  permission: TokenPermission,
  { typed, read, act, form: shown, json, paths = [path], isForAllWorkers }: Act<Input, Result>,
): Operation {
  const requests = paths.map(
    (one): AdminRoute => ({
      method: 'POST',
      path: adminPath(one),
      scope: permission.scope,
      isForAllWorkers,
      answer: async (request) => json(await act(request, await read(request)), request),
    }),
  );
  if (shown === undefined) return { requests };
  const answer: AnswerPortalRequest = async (request) => shown.done(request, await act(request, typed(request)));
  return { requests, ...form(path, permission, { ...shown, answer }) };
}

function operation<Result>(
  path: string,
  permission: TokenPermission,
  declared: Omit<Act<undefined, Result>, 'typed' | 'read'>,
): Operation {
  return operationWith(path, permission, { typed: () => undefined, read: () => undefined, ...declared });
}

function adminPath(path: string): string {
  return `/api/admin/v1${path}`;
}

type ActForm<Result> = NonNullable<Act<undefined, Result>['form']>;

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
  const upload = { page: of(macroDirectoryPage), answer: of(uploadMacros), takes: 'upload' } as const;
  const version = `${path}/versions/:number`;
  return [
    form(path, administrators, upload, operators),
    page(`${path}/macros.json`, operators, of(macroDownload)),
    form(`${path}/remove`, administrators, { page: of(removalPage), answer: of(removeMacros) }),
    page(version, operators, of(macroVersionPage)),
    page(`${version}/macros.json`, operators, of(macroVersionDownload)),
    form(`${version}/restore`, administrators, { page: of(restorationPage), answer: of(restoreMacros) }),
  ];
}

const topics =
  'without a topic. 200 with `?topic=sessions`, `overview`, `lines`, `loaded:…` and `log:…`; for administrators also with `configuration` and `screen:…`';
const onlyInClusters = {
  asked: { status: 404, note: '200 for a server of the cluster' },
  sent: { status: 404, note: '303 for a server of the cluster' },
};

const operations: readonly Operation[] = [
  page('/', operators, overview),
  page('/console/events', operators, consoleEvents, { status: 400, note: topics }),
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
  report('/lines', operators, ({ portal }) => ({ lines: portal.lines.list() }), lineListPage),
  report('/lines/:name', operators, ({ portal, segment }) => portal.lines.report(segment('name')), linePage),
  lineOperation('start', { page: lineStartPage, done: lineStarted, sent: { note: 'a drained line' } }),
  lineOperation('drain', { page: lineDrainPage, done: lineDrained }),
  lineOperation('stop', {
    page: lineStopPage,
    done: lineStopped,
    sent: { status: 409, note: 'for the only portal line; 303 for others' },
  }),
  report('/nodes', operators, ({ portal }) => ({ nodes: portal.nodes.nodes }), nodeListPage),
  report('/nodes/:code', operators, ({ portal, segment }) => nodeNamed(portal.nodes, segment('code'))),
  operation('/nodes/:code/drain', operators, {
    act: drainNode,
    form: { page: nodeDrainPage, done: nodeDrained, ...onlyInClusters },
    json: (node) => ({ ...node, state: 'draining' }),
  }),
  form('/nodes/:code/choose', operators, { page: nodeChoicePage, answer: chooseNode, ...onlyInClusters }),
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
  page('/loaded', operators, loadedPage),
  form('/loaded/services/:name', administrators, {
    page: serviceTrialPage,
    answer: tryService,
    sent: { status: 200, note: "shows the service's answer" },
  }),
  page('/configuration', administrators, configurationPage),
  form('/configuration/reload', administrators, {
    page: reloadPage,
    answer: reloadConfiguration,
    asked: { note: 'checks the file' },
  }),
  page('/drafts', operators, draftListPage),
  page('/drafts/:id', operators, draftPage),
  page('/drafts/:id/service.yaml', operators, draftServiceDownload),
  page('/drafts/:id/screens.yaml', operators, draftScreensDownload),
  form('/drafts/:id/publish', administrators, {
    page: publicationPage,
    answer: publishDraft,
    sent: { status: 200, note: 'checks the draft; 303 if it publishes' },
  }),
  form('/drafts/:id/remove', administrators, { page: draftRemovalPage, answer: removeDraft }),
  page('/users', operators, userListPage),
  form('/new/user', administrators, { page: newUserPage, answer: addUser }),
  form('/users/:name', administrators, { page: userPage, answer: changeUser }, operators),
  form('/users/:name/password', administrators, { page: passwordPage, answer: setPassword }),
  form('/users/:name/unlock', administrators, {
    page: unlockPage,
    answer: unlockUser,
    asked: { status: 303, note: 'redirects to the user' },
  }),
  form('/users/:name/remove', administrators, { page: userRemovalPage, answer: removeUser }),
  form('/groups', administrators, { page: groupListPage, answer: addGroup }, operators),
  form('/groups/:name/remove', administrators, { page: groupRemovalPage, answer: removeGroup }),
  form(
    '/tokens',
    administrators,
    { page: tokenListPage, answer: addToken, sent: { status: 200, note: 'the only page that shows the token' } },
    operators,
  ),
  form('/tokens/:name/revoke', administrators, { page: tokenRevocationPage, answer: revokeToken }),
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
