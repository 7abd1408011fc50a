import { ServiceError } from '../../lib/errors.js';
import { type NodeFigures, nodeNamed } from '../../operation/node-load.js';
import { serverChoice } from '../forwarding/forwarding.js';
import { nodePath, redirectTo, sessionLogPath, sessionTracePath, withQuery } from './portal-paths.js';
import { confirmation, type PageView, type PortalOutcome, type PortalRequest } from './portal-route.js';
import { counted, instantText } from './wording.js';

const LIST = '/nodes';

const stateTexts: Readonly<Record<NodeFigures['state'], string>> = {
  up: 'Up',
  draining: 'Drained: no new sessions',
  gone: 'Gone',
};

/** The servers of the cluster, as this one sees them. */
export function nodeListPage({ portal }: PageView): PortalOutcome {
  const { nodes } = portal.nodes;
  const isUp = ({ state }: NodeFigures) => state === 'up';
  return {
    kind: 'page',
    page: 'NODES.HTML',
    variables: {
      $NOW$: [instantText(new Date())],
      $NODE$: nodes.length === 0 ? undefined : nodes.map(({ code }) => code),
      '$NODE-IS-THIS$': nodes.map((node) => (node.this ? 'this server' : '')),
      '$NODE-STATE$': nodes.map(({ state }) => (state === 'gone' ? '' : stateTexts[state])),
      '$NODE-TROUBLE$': nodes.map(({ state, silentSeconds }) =>
        state === 'gone' ? `${stateTexts.gone}: not heard of for ${counted(silentSeconds, 'second')}` : '',
      ),
      '$NODE-ADDRESS$': nodes.map(({ address }) => address || 'this machine alone'),
      '$NODE-VERSION$': nodes.map(({ version }) => version),
      '$NODE-SESSIONS$': nodes.map(({ sessions }) => String(sessions)),
      '$NODE-CHOICE-PATH$': nodes.map(({ code, this: isThis, state }) =>
        isThis || state === 'gone' ? '' : `${nodePath(code)}/choose`,
      ),
      '$NODE-ACT$': nodes.map((node) => (isUp(node) ? 'Drain …' : '')),
      '$NODE-ACT-PATH$': nodes.map(({ code }) => `${nodePath(code)}/drain`),
    },
  };
}

export function nodeDrainPage(request: PortalRequest): PortalOutcome {
  const { code, state, sessions } = existing(request);
  return confirmation({
    title: `Drain server ${code}?`,
    facts:
      state === 'up'
        ? [
            'No further sessions begin at it, and balancers are told that it is not ready.',
            `Users of its ${counted(sessions, 'session')} are told, and have as many minutes to finish as its drainMinutes says. Then it ends.`,
            'With several workers on its machine all of them are drained.',
          ]
        : [`${stateTexts[state]}.`],
    action: `${nodePath(code)}/drain`,
    button: state === 'up' ? `Drain ${code}` : undefined,
    back: LIST,
  });
}

export function nodeChoicePage(request: PortalRequest): PortalOutcome {
  const { code } = existing(request);
  const { query } = request;
  return confirmation({
    title: `Look at server ${code}?`,
    facts: [
      `All pages of the portal are answered by ${code} in this browser, with its lines, pools, log, traces and configuration.`,
      'It stays so until you look at another one, or the browser ends. Where it is gone another one answers again.',
    ],
    action: withQuery(`${nodePath(code)}/choose`, { log: query('log'), trace: query('trace') }),
    button: `Look at ${code}`,
    back: LIST,
    destroys: false,
  });
}

/** Has this server answer from now on whatever its browser asks of the portal. */
export function chooseNode(request: PortalRequest): PortalOutcome {
  const { code, this: isThis } = existing(request);
  if (!isThis) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
  const { incoming } = request.request;
  const [log, trace] = [request.query('log'), request.query('trace')];
  const wished = log !== '' ? sessionLogPath(log) : trace !== '' ? sessionTracePath(trace) : undefined;
  const { to } = redirectTo(LIST, 'node-chosen');
  return { kind: 'redirect', to: wished ?? to, cookie: serverChoice(incoming, code) };
}

export function nodeDrained(): PortalOutcome {
  return redirectTo(LIST, 'node-drained');
}

function existing({ portal, segment }: PortalRequest): NodeFigures {
  return nodeNamed(portal.nodes, segment('code'));
}
