import { dirname, relative } from 'node:path';
import { formatPlace, type SourceDiagnostic } from '../../lib/documents/source-diagnostic.js';
import { ServiceError } from '../../lib/errors.js';
import { asSentence } from '../../lib/text/messages.js';
import type {
  ConfigurationCheck,
  ReloadOutcome,
  ReloadReport,
  Replaced,
} from '../../operation/configuration-operations.js';
import { textDifferenceVariables } from './macro-texts.js';
import { formRepeatedAt, nodeAnswerText } from './other-workers.js';
import { noticeOf, redirectTo } from './portal-paths.js';
import {
  confirmation,
  type PageVariables,
  type PageView,
  type PortalOutcome,
  type PortalRequest,
} from './portal-route.js';
import { counted, instantText } from './wording.js';

const PAGE = '/configuration';
/** Said by the second button of the form. */
const EVERY_SERVER = 'everywhere';
/** Diagnostics and names that a page shows: a page is no place for a thousand. */
const MOST_SHOWN = 100;

/** The configuration that is served, and what became of the latest reload. */
export async function configurationPage({ portal }: PageView): Promise<PortalOutcome> {
  const { configuration } = portal;
  const { file, running, lastReload, needsRestart } = configuration.state;
  const isServed = await configuration.isFileServed();
  return {
    kind: 'page',
    page: 'CONFIGURATION.HTML',
    variables: {
      $FILE$: [file],
      '$READ-TIME$': [instantText(new Date(running.readAt))],
      '$FILE-STATE$': [fileState(isServed)],
      '$FILE-IS-SERVED$': isServed === true ? ['yes'] : undefined,
      '$RUNNING-TEXT$': [running.text],
      ...restartVariables(needsRestart),
      ...reloadVariables(lastReload, file),
    },
  };
}

/** What a reload would do: the file is checked for this page. */
export async function reloadPage({ portal, site }: PortalRequest): Promise<PortalOutcome> {
  const { configuration } = portal;
  const workers = site.nodes?.onThisMachine ?? [];
  const { file } = configuration.state;
  const check = await configuration.check();
  return {
    kind: 'page',
    page: 'CONFIGURATION-RELOAD.HTML',
    variables: {
      $FILE$: [file],
      $WORKERS$: workers.length === 0 ? undefined : [counted(workers.length + 1, 'worker')],
      '$OTHER-SERVERS$': otherServers(portal, workers).length === 0 ? undefined : [EVERY_SERVER],
      ...checkVariables(check, file),
    },
  };
}

/** Takes over the file that was looked at, at all workers of this machine, which have the same; at other servers theirs. */
export async function reloadConfiguration(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, actor, field, fields, site } = request;
  const seen = field('SEEN');
  const outcome = await portal.configuration.reload(actor, seen === '' ? undefined : seen);
  if (outcome.kind !== 'done') {
    throw new ServiceError('SVC_ERR_CONFIGURATION_REFUSED', { detail: outcomeText(outcome) });
  }
  const done = outcome.needsRestart.length === 0 ? 'configuration-reloaded' : 'configuration-reloaded-partly';
  const workers = site.nodes?.onThisMachine ?? [];
  const others = field('WHERE') === EVERY_SERVER ? otherServers(portal, workers) : [];
  // the tag of what was looked at means nothing to another process
  const unseen = new Map([...fields].filter(([name]) => name !== 'SEEN'));
  const acts = await formRepeatedAt({ ...request, fields: unseen }, [...workers, ...others]);
  if (acts.length === 0) return redirectTo(PAGE, done);
  return confirmation({
    title: 'What the servers answer to the reload',
    facts: [`${site.sessions.node}: ${noticeOf(done)}`, ...acts.map(nodeAnswerText)],
    action: '',
    button: undefined,
    back: PAGE,
  });
}

/** That run, besides this machine. */
function otherServers({ nodes }: PortalRequest['portal'], workers: readonly string[]): readonly string[] {
  return nodes.nodes
    .filter(({ code, this: isThis, state }) => !isThis && state !== 'gone' && !workers.includes(code))
    .map(({ code }) => code);
}

function fileState(isServed: boolean | undefined): string {
  if (isServed === undefined) return 'The file cannot be read.';
  return isServed
    ? 'The file is the one that is served.'
    : 'The file was changed since: check it, and reload it to have it served.';
}

function checkVariables(check: ConfigurationCheck, file: string): PageVariables {
  switch (check.kind) {
    case 'wrong':
      return { ...diagnosticVariables(check.diagnostics, file), '$IS-WRONG$': ['yes'] };
    case 'refused':
      return { $REFUSAL$: [check.reason] };
    case 'sound': {
      const { read, warnings, takenOver, needsRestart, difference } = check;
      const isSame = difference.every(({ mark }) => mark === 'same');
      return {
        '$IS-SOUND$': ['yes'],
        $SEEN$: [read.tag],
        ...diagnosticVariables(warnings, file),
        $CHANGE$: takenOver.slice(0, MOST_SHOWN),
        '$NO-CHANGE$': takenOver.length === 0 && needsRestart.length === 0 ? ['yes'] : undefined,
        '$MASKED-ALONE$': isSame && takenOver.length > 0 ? ['yes'] : undefined,
        ...restartVariables(needsRestart),
        ...textDifferenceVariables(difference),
      };
    }
  }
}

function diagnosticVariables(diagnostics: readonly SourceDiagnostic[], file: string): PageVariables {
  const shown = diagnostics.slice(0, MOST_SHOWN);
  const more = diagnostics.length - shown.length;
  return {
    $DIAGNOSTIC$: shown.map((one) => placeText(one, file)),
    '$DIAGNOSTIC-MORE$': more > 0 ? [counted(more, 'more')] : undefined,
  };
}

/** `sallyport.yaml:12:3: error: …`: names of files as seen from the folder of the configuration. */
function placeText(diagnostic: SourceDiagnostic, file: string): string {
  return formatPlace({ ...diagnostic, file: relative(dirname(file), diagnostic.file) });
}

function restartVariables(needsRestart: Replaced['needsRestart']): PageVariables {
  return {
    $RESTART$: needsRestart.map(({ what }) => what),
    '$RESTART-REASON$': needsRestart.map(({ reason }) => reason),
  };
}

function reloadVariables(report: ReloadReport | undefined, file: string): PageVariables {
  if (report === undefined) return {};
  const { at, who, outcome } = report;
  return {
    '$RELOAD-TIME$': [instantText(new Date(at))],
    '$RELOAD-USER$': [who],
    '$RELOAD-OUTCOME$': [outcomeText(outcome)],
    '$RELOAD-FAILED$': outcome.kind === 'done' ? undefined : ['yes'],
    ...(outcome.kind === 'wrong' ? diagnosticVariables(outcome.diagnostics, file) : {}),
  };
}

function outcomeText(outcome: ReloadOutcome): string {
  switch (outcome.kind) {
    case 'wrong':
      return `The file has ${counted(outcome.diagnostics.length, 'error')}.`;
    case 'refused':
      return asSentence(outcome.reason);
    case 'done':
      return outcome.takenOver.length === 0
        ? 'There was nothing to take over.'
        : `Taken over: ${outcome.takenOver.slice(0, MOST_SHOWN).join(', ')}.`;
  }
}
