import { ServiceError } from '../../lib/errors.js';
import { type NodeFigures, nodeNamed } from '../../operation/node-load.js';
import { serverChoice } from '../forwarding/forwarding.js';
import { nodePath, redirectTo, sessionLogPath, sessionTracePath, withQuery } from './portal-paths.js';
import { confirmation, type PageView, type PortalOutcome, type PortalRequest } from './portal-route.js';

const LIST = '/nodes';

/** The servers of the cluster, as this one sees them. */
export function nodeListPage({ portal, words }: PageView): PortalOutcome {
  const { nodes } = portal.nodes;
  const isUp = ({ state }: NodeFigures) => state === 'up';
  return {
    kind: 'page',
    page: 'NODES.HTML',
    variables: {
      $NOW$: [words.instant(new Date())],
      $NODE$: nodes.length === 0 ? undefined : nodes.map(({ code }) => code),
      '$NODE-IS-THIS$': nodes.map((node) => (node.this ? words.text('node.isThis') : '')),
      '$NODE-STATE$': nodes.map(({ state }) => (state === 'gone' ? '' : words.text(`node.${state}`))),
      '$NODE-TROUBLE$': nodes.map(({ state, silentSeconds }) =>
        state === 'gone' ? words.counted('node.silent', silentSeconds) : '',
      ),
      '$NODE-ADDRESS$': nodes.map(({ address }) => address || words.text('node.onlyHere')),
      '$NODE-VERSION$': nodes.map(({ version }) => version),
      '$NODE-SESSIONS$': nodes.map(({ sessions }) => words.number(sessions)),
      '$NODE-CHOICE-PATH$': nodes.map(({ code, this: isThis, state }) =>
        isThis || state === 'gone' ? '' : `${nodePath(code)}/choose`,
      ),
      '$NODE-ACT$': nodes.map((node) => (isUp(node) ? words.text('node.drainAct') : '')),
      '$NODE-ACT-PATH$': nodes.map(({ code }) => `${nodePath(code)}/drain`),
    },
  };
}

export function nodeDrainPage(request: PortalRequest): PortalOutcome {
  const { code, state, sessions } = existing(request);
  const { words } = request;
  return confirmation({
    title: words.text('node.drain', { code }),
    facts:
      state === 'up'
        ? [words.text('node.drainReady'), words.counted('node.drainUsers', sessions), words.text('node.drainWorkers')]
        : [`${words.text(`node.${state}`)}.`],
    action: `${nodePath(code)}/drain`,
    button: state === 'up' ? words.text('node.drainButton', { code }) : undefined,
    back: LIST,
  });
}

export function nodeChoicePage(request: PortalRequest): PortalOutcome {
  const { code } = existing(request);
  const { query, words } = request;
  return confirmation({
    title: words.text('node.choose', { code }),
    facts: [words.text('node.chooseEffect', { code }), words.text('node.chooseUntil')],
    action: withQuery(`${nodePath(code)}/choose`, { log: query('log'), trace: query('trace') }),
    button: words.text('node.chooseButton', { code }),
    back: LIST,
    destroys: false,
  });
}

/** Makes this server answer all portal requests of the browser from now on. */
export function chooseNode(request: PortalRequest): PortalOutcome {
  const { code, this: isThis } = existing(request);
  if (!isThis) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
  const { incoming } = request.request;
  const [log, trace] = [request.query('log'), request.query('trace')];
  const wished = log !== '' ? sessionLogPath(log) : trace !== '' ? sessionTracePath(trace) : undefined;
  const { to } = redirectTo(LIST, 'node-chosen');
  return { kind: 'redirect', to: wished ?? to, cookie: serverChoice(incoming, code) };
}

/** A server that receives this request for another server has already passed it on. */
export function nodeDrained(): PortalOutcome {
  return redirectTo(LIST, 'node-drained');
}

function existing({ portal, segment }: PortalRequest): NodeFigures {
  return nodeNamed(portal.nodes, segment('code'));
}
