import type { LineReport, LineReportState } from '../../operation/line-operations.js';
import type { PrinterReport } from '../../operation/server-figures.js';
import { repeatedBy } from '../http/request-sender.js';
import { poolVariables } from './pool-pages.js';
import { linePath, redirectTo, topicParameter, withQuery } from './portal-paths.js';
import {
  confirmation,
  type PageVariables,
  type PageView,
  type PortalOutcome,
  type PortalRequest,
} from './portal-route.js';
import { counted, instantText } from './wording.js';

const stateTexts: Readonly<Record<LineReportState, string>> = {
  listening: 'Open',
  draining: 'Drained: no new sessions',
  opening: 'Cannot open yet, goes on trying',
  closing: 'Closing',
  stopped: 'Stopped',
  failed: 'Cannot open',
};

const hostTexts = { reached: 'Reached', notReached: 'Not reached', unknown: '–' } as const;

/** Lines, hosts, pools and printers: how they do. */
export function lineListPage({ portal }: PageView): PortalOutcome {
  return {
    kind: 'page',
    page: 'LINES.HTML',
    variables: {
      $NOW$: [instantText(new Date())],
      ...inboundVariables(portal.lines.list()),
      ...connectionVariables(portal.figures),
    },
  };
}

/** One line, and what can be done with it. */
export function linePage({ portal, segment }: PortalRequest): PortalOutcome {
  return shownLine(portal.lines, portal.lines.report(segment('name')));
}

/** The same while it is looked at, by its parameter `name`: a reload of the configuration may take the line away. */
export function liveLinePage({ portal, query }: PageView): PortalOutcome {
  const name = query('name');
  const line = portal.lines.list().find((one) => one.name === name);
  if (line !== undefined) return shownLine(portal.lines, line);
  return { kind: 'page', page: 'LINE.HTML', variables: { $NOW$: [instantText(new Date())] } };
}

function shownLine(lines: PageView['portal']['lines'], line: LineReport): PortalOutcome {
  const isDrained = line.state === 'draining';
  const acts = [
    { act: 'start', label: isDrained ? 'End the drain …' : 'Start …', refusal: lines.whyNotStart(line) },
    { act: 'drain', label: 'Drain …', refusal: lines.whyNotDrain(line) },
    { act: 'stop', label: 'Stop …', refusal: lines.whyNotStop(line) },
  ];
  const possible = acts.filter(({ refusal }) => refusal === undefined);
  const stop = acts.find(({ act, refusal }) => act === 'stop' && refusal !== undefined);
  return {
    kind: 'page',
    page: 'LINE.HTML',
    variables: {
      ...inboundVariables([line]),
      $NOW$: [instantText(new Date())],
      $TOPIC$: [`line:${topicParameter({ name: line.name })}`],
      '$EXTERNAL-NAME$': line.externalName === line.name ? undefined : [line.externalName],
      $ACT$: possible.map(({ label }) => label),
      '$ACT-PATH$': possible.map(({ act }) => `${linePath(line.name)}/${act}`),
      '$TRACE-PATH$': [withQuery('/traces', { kind: 'line', subject: line.name })],
      '$STOP-REFUSAL$': stop === undefined || line.state !== 'listening' ? undefined : [stop.refusal ?? ''],
    },
  };
}

export function lineStartPage({ portal, segment }: PortalRequest): PortalOutcome {
  const line = portal.lines.report(segment('name'));
  const isDrained = line.state === 'draining';
  return asked(line, portal.lines.whyNotStart(line), {
    title: isDrained ? `End the drain of line ${line.name}?` : `Start line ${line.name}?`,
    facts: [isDrained ? 'Sessions begin at it again.' : `It listens at ${line.url} again.`],
    act: 'start',
    button: isDrained ? 'End the drain' : `Start ${line.name}`,
  });
}

export function lineDrainPage({ portal, segment }: PortalRequest): PortalOutcome {
  const line = portal.lines.report(segment('name'));
  return asked(line, portal.lines.whyNotDrain(line), {
    title: `Drain line ${line.name}?`,
    facts: [
      'No further sessions begin at it; users who want one are told to try again later.',
      `What it has goes on: ${counted(line.sessions, 'session')}.`,
      line.portal
        ? 'It is a portal line: monitors are not told that the server is not ready.'
        : 'Monitors are told that the server is not ready, so that new users are led to other servers.',
    ],
    act: 'drain',
    button: `Drain ${line.name}`,
  });
}

export function lineStopPage({ portal, segment, site }: PortalRequest): PortalOutcome {
  const line = portal.lines.report(segment('name'));
  const other = line.name === site.line.name ? otherPortal(portal, line.name) : undefined;
  return asked(line, portal.lines.whyNotStop(line), {
    title: `Stop line ${line.name}?`,
    facts: [
      `Its sessions end: ${counted(line.sessions, 'session')}. To let them go on, drain it instead.`,
      'Requests in flight are finished; nobody can connect any more.',
      ...(other === undefined ? [] : [`This page is served by it: the portal is at ${other.url} then.`]),
      'It stays stopped until it is started here, or the server is started again.',
    ],
    act: 'stop',
    button: `Stop ${line.name}`,
  });
}

export function lineStarted(_: PortalRequest, { name, state }: LineReport): PortalOutcome {
  return redirectTo(linePath(name), state === 'listening' ? 'line-started' : 'line-opening');
}

export function lineDrained(_: PortalRequest, { name }: LineReport): PortalOutcome {
  return redirectTo(linePath(name), 'line-drained');
}

export function lineStopped({ portal, site, request }: PortalRequest, { name }: LineReport): PortalOutcome {
  if (name !== site.line.name || repeatedBy(request.incoming) !== undefined) {
    return redirectTo(linePath(name), 'line-stopped');
  }
  // the page that would be shown next is served by the line that closes
  const other = otherPortal(portal, name);
  const facts = ['This page was served by it.', ...(other === undefined ? [] : [`The portal is at ${other.url} too.`])];
  const back = other === undefined ? '/lines' : `${other.url}/lines`;
  return confirmation({ title: `Line ${name} is being stopped`, facts, action: '', button: undefined, back });
}

/** Where the portal is while that line is not there. */
function otherPortal({ lines }: PortalRequest['portal'], name: string): LineReport | undefined {
  return lines.list().find((line) => line.portal && line.name !== name && line.state === 'listening');
}

interface Question {
  readonly title: string;
  readonly facts: readonly string[];
  readonly act: string;
  readonly button: string;
}

function asked(
  { name }: LineReport,
  refusal: string | undefined,
  { title, facts, act, button }: Question,
): PortalOutcome {
  const path = linePath(name);
  return confirmation({
    title,
    facts: refusal === undefined ? facts : [refusal],
    action: `${path}/${act}`,
    button: refusal === undefined ? button : undefined,
    back: path,
    destroys: act === 'stop',
  });
}

function inboundVariables(lines: readonly LineReport[]): PageVariables {
  return {
    $LINE$: lines.map(({ name }) => name),
    '$LINE-PATH$': lines.map(({ name }) => linePath(name)),
    '$LINE-KIND$': lines.map(({ portal }) => (portal ? 'portal' : '')),
    '$LINE-STATE$': lines.map(({ state }) => (state === 'listening' ? stateTexts[state] : '')),
    '$LINE-TROUBLE$': lines.map(({ state }) => (state === 'listening' ? '' : stateTexts[state])),
    '$LINE-URL$': lines.map(({ url }) => url),
    '$LINE-ENTRY-POINT$': lines.map(({ entryPoint }) => entryPoint),
    '$LINE-CONNECTIONS$': lines.map(({ connections }) => String(connections)),
    '$LINE-SESSIONS$': lines.map(({ sessions }) => String(sessions)),
    '$LINE-REQUESTS$': lines.map(({ requests }) => String(requests)),
    '$LINE-REFUSED$': lines.map(({ refused }) => String(refused)),
    '$LINE-FAULT$': lines.map(faultText),
    '$LINE-CERTIFICATE$': lines.map(({ certificate }) =>
      certificate === undefined ? '' : instantText(certificate.expires),
    ),
  };
}

function faultText({ lastFault, certificate }: LineReport): string {
  const fault = lastFault === undefined ? [] : [`${instantText(lastFault.at)}: ${lastFault.reason}`];
  return [...fault, ...(certificate?.fault === undefined ? [] : [certificate.fault])].join('; ') || '–';
}

function connectionVariables({ outbound, hosts, pools, printers }: PortalRequest['portal']['figures']): PageVariables {
  return {
    $OUTBOUND$: outbound.map(({ name }) => name),
    '$OUTBOUND-TRACE$': outbound.map(({ name }) => withQuery('/traces', { kind: 'line', subject: name })),
    '$OUTBOUND-SITE$': outbound.map(({ site }) => site ?? 'named by scenarios'),
    '$OUTBOUND-CALLS$': outbound.map(({ calls }) => String(calls)),
    '$OUTBOUND-FAILURES$': outbound.map(({ failures }) => String(failures)),
    '$OUTBOUND-FAULT$': outbound.map(({ lastFailure }) =>
      lastFailure === undefined ? '–' : `${instantText(new Date(lastFailure.at))}: ${lastFailure.reason}`,
    ),
    $HOST$: hosts.map(({ name }) => name),
    '$HOST-ADDRESS$': hosts.map(({ address }) => address ?? 'simulated'),
    '$HOST-STATE$': hosts.map(({ state }) => hostTexts[state]),
    '$HOST-SESSIONS$': hosts.map(({ sessions }) => String(sessions)),
    '$HOST-POOLED$': hosts.map(({ pooled }) => String(pooled)),
    ...poolVariables(pools),
    ...printerVariables(printers),
  };
}

/** How printers do; what they print, only those are shown whose it is. */
function printerVariables(printers: readonly PrinterReport[]): PageVariables {
  return {
    $PRINTER$: printers.map(({ name }) => name),
    '$PRINTER-HOST$': printers.map(({ host }) => host),
    '$PRINTER-UNIT$': printers.map(({ ofSessions, logicalUnit }) =>
      ofSessions ? 'of sessions' : (logicalUnit ?? '–'),
    ),
    '$PRINTER-STATE$': printers.map(stateText),
    '$PRINTER-DOCUMENTS$': printers.map(({ documents }) => String(documents)),
    '$PRINTER-LAST$': printers.map(({ lastPrinted }) => (lastPrinted === undefined ? '–' : instantText(lastPrinted))),
    '$PRINTER-FAULT$': printers.map(({ trouble }) => trouble ?? '–'),
  };
}

function stateText({ ofSessions, printers, connected }: PrinterReport): string {
  if (ofSessions) return `${connected} of ${printers} connected`;
  return connected > 0 ? 'Connected' : 'Not connected';
}
