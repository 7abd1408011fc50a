import type { Detail } from '../../lib/locale.js';
import type { LineReport } from '../../operation/line-operations.js';
import type { PrinterReport } from '../../operation/server-figures.js';
import { repeatedBy } from '../http/request-sender.js';
import type { PortalWording } from '../words/portal-wording.js';
import { poolVariables } from './pool-pages.js';
import { linePath, redirectTo, topicParameter, withQuery } from './portal-paths.js';
import {
  confirmation,
  factOf,
  type PageVariables,
  type PageView,
  type PortalOutcome,
  type PortalRequest,
} from './portal-route.js';

/** The state of lines, hosts, pools and printers. */
export function lineListPage({ portal, words }: PageView): PortalOutcome {
  return {
    kind: 'page',
    page: 'LINES.HTML',
    variables: {
      $NOW$: [words.instant(new Date())],
      ...inboundVariables(portal.lines.list(), words),
      ...connectionVariables(portal.figures, words),
    },
  };
}

/** One line and its operations. */
export function linePage({ portal, segment, words }: PortalRequest): PortalOutcome {
  return shownLine(portal.lines, portal.lines.report(segment('name')), words);
}

/** The live version of the page, by the parameter `name`. A reload of the configuration may remove the line. */
export function liveLinePage({ portal, query, words }: PageView): PortalOutcome {
  const name = query('name');
  const line = portal.lines.list().find((one) => one.name === name);
  if (line !== undefined) return shownLine(portal.lines, line, words);
  return { kind: 'page', page: 'LINE.HTML', variables: { $NOW$: [words.instant(new Date())] } };
}

function shownLine(lines: PageView['portal']['lines'], line: LineReport, words: PortalWording): PortalOutcome {
  const isDrained = line.state === 'draining';
  const acts = [
    {
      act: 'start',
      label: words.text(isDrained ? 'line.resumeAct' : 'line.startAct'),
      refusal: lines.whyNotStart(line),
    },
    { act: 'drain', label: words.text('line.drainAct'), refusal: lines.whyNotDrain(line) },
    { act: 'stop', label: words.text('line.stopAct'), refusal: lines.whyNotStop(line) },
  ];
  const possible = acts.filter(({ refusal }) => refusal === undefined);
  const whyNotStop = line.state === 'listening' ? lines.whyNotStop(line) : undefined;
  return {
    kind: 'page',
    page: 'LINE.HTML',
    variables: {
      ...inboundVariables([line], words),
      $NOW$: [words.instant(new Date())],
      $TOPIC$: [`line:${topicParameter({ name: line.name })}`],
      '$EXTERNAL-NAME$': line.externalName === line.name ? undefined : [line.externalName],
      $ACT$: possible.map(({ label }) => label),
      '$ACT-PATH$': possible.map(({ act }) => `${linePath(line.name)}/${act}`),
      '$TRACE-PATH$': [withQuery('/traces', { kind: 'line', subject: line.name })],
      '$STOP-REFUSAL$': whyNotStop === undefined ? undefined : [words.detail(whyNotStop)],
      '$STOP-LANGUAGE$': whyNotStop === undefined ? undefined : [words.languageOf(whyNotStop)],
    },
  };
}

export function lineStartPage({ portal, segment, words }: PortalRequest): PortalOutcome {
  const line = portal.lines.report(segment('name'));
  const { name, url } = line;
  const isDrained = line.state === 'draining';
  return asked(line, portal.lines.whyNotStart(line), words, {
    title: words.text(isDrained ? 'line.resume' : 'line.start', { name }),
    facts: [isDrained ? words.text('line.resumeFact') : words.text('line.startFact', { url })],
    act: 'start',
    button: words.text(isDrained ? 'line.resumeButton' : 'line.startButton', { name }),
  });
}

export function lineDrainPage({ portal, segment, words }: PortalRequest): PortalOutcome {
  const line = portal.lines.report(segment('name'));
  const { name } = line;
  return asked(line, portal.lines.whyNotDrain(line), words, {
    title: words.text('line.drain', { name }),
    facts: [
      words.text('line.drainSessions'),
      words.counted('line.drainKept', line.sessions),
      words.text(line.portal ? 'line.drainPortal' : 'line.drainReady'),
    ],
    act: 'drain',
    button: words.text('line.drainButton', { name }),
  });
}

export function lineStopPage({ portal, segment, site, words }: PortalRequest): PortalOutcome {
  const line = portal.lines.report(segment('name'));
  const { name } = line;
  const other = name === site.line.name ? otherPortal(portal, name) : undefined;
  return asked(line, portal.lines.whyNotStop(line), words, {
    title: words.text('line.stop', { name }),
    facts: [
      words.counted('line.stopSessions', line.sessions),
      words.text('line.stopRequests'),
      ...(other === undefined ? [] : [words.text('line.stopThisPage', { url: other.url })]),
      words.text('line.stopUntil'),
    ],
    act: 'stop',
    button: words.text('line.stopButton', { name }),
  });
}

export function lineStarted(_: PortalRequest, { name, state }: LineReport): PortalOutcome {
  return redirectTo(linePath(name), state === 'listening' ? 'line-started' : 'line-opening');
}

export function lineDrained(_: PortalRequest, { name }: LineReport): PortalOutcome {
  return redirectTo(linePath(name), 'line-drained');
}

export function lineStopped({ portal, site, request, words }: PortalRequest, { name }: LineReport): PortalOutcome {
  if (name !== site.line.name || repeatedBy(request.incoming) !== undefined) {
    return redirectTo(linePath(name), 'line-stopped');
  }
  // the line that closes would serve the next page
  const other = otherPortal(portal, name);
  const facts = [
    words.text('line.stoppingThisPage'),
    ...(other === undefined ? [] : [words.text('line.stoppingOther', { url: other.url })]),
  ];
  const back = other === undefined ? '/lines' : `${other.url}/lines`;
  return confirmation({ title: words.text('line.stopping', { name }), facts, action: '', button: undefined, back });
}

/** Another line with the portal, for use while this line is closed. */
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
  refusal: Detail | undefined,
  words: PortalWording,
  { title, facts, act, button }: Question,
): PortalOutcome {
  const path = linePath(name);
  return confirmation({
    title,
    facts: refusal === undefined ? facts : [factOf(refusal, words)],
    action: `${path}/${act}`,
    button: refusal === undefined ? button : undefined,
    back: path,
    destroys: act === 'stop',
  });
}

function inboundVariables(lines: readonly LineReport[], words: PortalWording): PageVariables {
  return {
    $LINE$: lines.map(({ name }) => name),
    '$LINE-PATH$': lines.map(({ name }) => linePath(name)),
    '$LINE-KIND$': lines.map(({ portal }) => (portal ? words.text('line.isPortal') : '')),
    '$LINE-STATE$': lines.map(({ state }) => (state === 'listening' ? words.text('line.listening') : '')),
    '$LINE-TROUBLE$': lines.map(({ state }) => (state === 'listening' ? '' : words.text(`line.${state}`))),
    '$LINE-URL$': lines.map(({ url }) => url),
    '$LINE-ENTRY-POINT$': lines.map(({ entryPoint }) => entryPoint),
    '$LINE-CONNECTIONS$': lines.map(({ connections }) => words.number(connections)),
    '$LINE-SESSIONS$': lines.map(({ sessions }) => words.number(sessions)),
    '$LINE-REQUESTS$': lines.map(({ requests }) => words.number(requests)),
    '$LINE-REFUSED$': lines.map(({ refused }) => words.number(refused)),
    '$LINE-FAULT-TIME$': lines.map(({ lastFault, certificate }) => {
      if (lastFault !== undefined) return `${words.instant(lastFault.at)}:`;
      return certificate?.fault === undefined ? '–' : '';
    }),
    '$LINE-FAULT$': lines.map(faultText),
    '$LINE-CERTIFICATE$': lines.map(({ certificate }) =>
      certificate === undefined ? '' : words.instant(certificate.expires),
    ),
  };
}

function faultText({ lastFault, certificate }: LineReport): string {
  return [lastFault?.reason, certificate?.fault].filter((fault) => fault !== undefined).join('; ');
}

function connectionVariables(
  { outbound, hosts, pools, printers }: PortalRequest['portal']['figures'],
  words: PortalWording,
): PageVariables {
  return {
    $OUTBOUND$: outbound.map(({ name }) => name),
    '$OUTBOUND-TRACE$': outbound.map(({ name }) => withQuery('/traces', { kind: 'line', subject: name })),
    '$OUTBOUND-SITE$': outbound.map(({ site }) => site ?? words.text('outbound.byScenarios')),
    '$OUTBOUND-CALLS$': outbound.map(({ calls }) => words.number(calls)),
    '$OUTBOUND-FAILURES$': outbound.map(({ failures }) => words.number(failures)),
    '$OUTBOUND-FAULT-TIME$': outbound.map(({ lastFailure }) =>
      lastFailure === undefined ? '–' : `${words.instant(lastFailure.at)}:`,
    ),
    '$OUTBOUND-FAULT$': outbound.map(({ lastFailure }) => lastFailure?.reason ?? ''),
    $HOST$: hosts.map(({ name }) => name),
    '$HOST-ADDRESS$': hosts.map(({ address }) => address ?? words.text('host.simulated')),
    '$HOST-STATE$': hosts.map(({ state }) => (state === 'unknown' ? '–' : words.text(`host.${state}`))),
    '$HOST-SESSIONS$': hosts.map(({ sessions }) => words.number(sessions)),
    '$HOST-POOLED$': hosts.map(({ pooled }) => words.number(pooled)),
    ...poolVariables(pools, words),
    ...printerVariables(printers, words),
  };
}

/** The state of printers. Only permitted users see the printed documents. */
function printerVariables(printers: readonly PrinterReport[], words: PortalWording): PageVariables {
  return {
    $PRINTER$: printers.map(({ name }) => name),
    '$PRINTER-HOST$': printers.map(({ host }) => host),
    '$PRINTER-UNIT$': printers.map(({ ofSessions, logicalUnit }) =>
      ofSessions ? words.text('printer.ofSessions') : (logicalUnit ?? '–'),
    ),
    '$PRINTER-STATE$': printers.map((printer) => stateText(printer, words)),
    '$PRINTER-DOCUMENTS$': printers.map(({ documents }) => words.number(documents)),
    '$PRINTER-LAST$': printers.map(({ lastPrinted }) => (lastPrinted === undefined ? '–' : words.instant(lastPrinted))),
    '$PRINTER-FAULT$': printers.map(({ trouble }) => trouble ?? '–'),
  };
}

function stateText({ ofSessions, printers, connected }: PrinterReport, words: PortalWording): string {
  if (ofSessions) {
    return words.text('printer.connectedOf', { count: words.number(connected), all: words.number(printers) });
  }
  return words.text(connected > 0 ? 'printer.connected' : 'printer.notConnected');
}
