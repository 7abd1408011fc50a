import type { SessionReport } from '../../operation/live-session.js';
import { LONGEST_MESSAGE_CHARACTERS } from '../../operation/session-operations.js';
import { chosenServer } from '../forwarding/forwarding.js';
import { arrivalOf } from '../http/request-sender.js';
import type { PortalWording } from '../words/portal-wording.js';
import { nodePath, redirectTo, sessionLogPath, sessionPath, sessionTracePath, withQuery } from './portal-paths.js';
import { confirmation, type PageVariables, type PortalOutcome, type PortalRequest } from './portal-route.js';

const LIST = '/sessions';

const kindWords = { browser: 'session.ofBrowser', scenario: 'session.ofScenario', pool: 'session.ofPool' } as const;

/** One session and its operations. */
export function sessionPage(request: PortalRequest): PortalOutcome {
  const session = existing(request);
  const isOnScreen = session.kind === 'browser' && session.state !== 'ending';
  return {
    kind: 'page',
    page: 'LIVE-SESSION.HTML',
    variables: {
      ...factVariables(session, request.words),
      ...furtherPaths(request, session),
      '$ON-SCREEN$': isOnScreen ? ['yes'] : undefined,
      $ENDING$: session.state === 'ending' ? ['yes'] : undefined,
      '$MESSAGE-TYPED$': [request.typed('MESSAGE') ?? ''],
      '$MOST-CHARACTERS$': [String(LONGEST_MESSAGE_CHARACTERS)],
    },
  };
}

/** Redirects to the session after a new sign-on in response to its form. */
export function toSession(request: PortalRequest): PortalOutcome {
  // a refused message is shown on the page of the session
  return request.typed('MESSAGE') === undefined
    ? { kind: 'redirect', to: sessionPath(existing(request).id) }
    : sessionPage(request);
}

/** @throws ServiceError SVC_ERR_SESSION_UNKNOWN */
export function typedMessage(request: PortalRequest): string {
  existing(request);
  return request.field('MESSAGE');
}

export function messageSent({ segment }: PortalRequest): PortalOutcome {
  return redirectTo(sessionPath(segment('id')), 'message-sent');
}

export function sessionEndPage(request: PortalRequest): PortalOutcome {
  const session = existing(request);
  const { id, transaction, host, logicalUnit, kind, began } = session;
  const { words } = request;
  return confirmation({
    title: words.text('session.end', { whose: whose(session, words) }),
    facts: [
      words.text('session.endFacts', {
        transaction,
        host: logicalUnit === undefined ? host : `${host}, ${logicalUnit}`,
        began: words.instant(began),
      }),
      words.text(kind === 'browser' ? 'session.endBrowser' : 'session.endWork'),
    ],
    action: `${sessionPath(id)}/end`,
    button: words.text('session.endButton'),
    back: sessionPath(id),
  });
}

export function sessionEnded(): PortalOutcome {
  return redirectTo(LIST, 'session-ended');
}

/** Watching begins when the script of the page opens the stream. */
export function watchPage(request: PortalRequest): PortalOutcome {
  return { kind: 'page', page: 'WATCHED-SESSION.HTML', variables: factVariables(existing(request), request.words) };
}

/** @throws ServiceError SVC_ERR_SESSION_UNKNOWN */
function existing({ portal, segment }: PortalRequest): SessionReport {
  return portal.sessions.report(segment('id'));
}

function whose({ user }: SessionReport, words: PortalWording): string {
  return user || words.text('session.anonymous');
}

function factVariables(session: SessionReport, words: PortalWording): PageVariables {
  const { id, node, kind, state, user, address, line, transaction, host, logicalUnit, name, began, idleSeconds } =
    session;
  return {
    $ID$: [id],
    $PATH$: [sessionPath(id)],
    $WHOSE$: [whose(session, words)],
    $NODE$: node === '' ? undefined : [node],
    $KIND$: [words.text(kindWords[kind])],
    $STATE$: [words.text(`session.${state}`)],
    '$SESSION-USER$': [user || words.text('nobody')],
    $ADDRESS$: [address || '–'],
    $LINE$: [line || '–'],
    $TRANSACTION$: [transaction],
    $HOST$: [host],
    $UNIT$: [logicalUnit ?? '–'],
    '$SESSION-NAME$': name === '' ? undefined : [name],
    $BEGAN$: [words.instant(began)],
    $IDLE$: [words.duration(idleSeconds * 1_000)],
    '$WATCHED-BY$': session.watchedBy.length === 0 ? undefined : [session.watchedBy.join(', ')],
    '$TRACED-BY$': session.tracedBy.length === 0 ? undefined : [session.tracedBy.join(', ')],
  };
}

/** Log and traces belong to the server of the session. If the browser uses another server, the user must switch first. */
function furtherPaths({ request: { incoming } }: PortalRequest, { id, node }: SessionReport): PageVariables {
  // in the form that its server logs
  const logged = node === '' ? id : id.slice(node.length + 1);
  const answering = chosenServer(incoming) ?? (arrivalOf(incoming) === 'client' ? node : undefined);
  const choice = `${nodePath(node)}/choose`;
  return answering === node
    ? { '$LOG-PATH$': [sessionLogPath(logged)], '$TRACE-PATH$': [sessionTracePath(id)] }
    : { '$LOG-PATH$': [withQuery(choice, { log: logged })], '$TRACE-PATH$': [withQuery(choice, { trace: id })] };
}
