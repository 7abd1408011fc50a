import { dirname, relative } from 'node:path';
import { formatPlace, type SourceDiagnostic } from '../../lib/documents/source-diagnostic.js';
import { ServiceError } from '../../lib/errors.js';
import type { PublicDetail } from '../../lib/locale.js';
import { asSentence } from '../../lib/text/messages.js';
import type {
  ConfigurationCheck,
  ReloadOutcome,
  ReloadReport,
  Replaced,
} from '../../operation/configuration-operations.js';
import type { PortalWording } from '../words/portal-wording.js';
import { textDifferenceVariables } from './macro-texts.js';
import { formRepeatedAt, nodeAnswerText, ownAnswer } from './other-workers.js';
import { redirectTo } from './portal-paths.js';
import {
  confirmation,
  type PageVariables,
  type PageView,
  type PortalOutcome,
  type PortalRequest,
} from './portal-route.js';

const PAGE = '/configuration';
/** Value of the second button of the form. */
const EVERY_SERVER = 'everywhere';
/** Maximum number of diagnostics and names on a page. */
const MOST_SHOWN = 100;

/** The active configuration and the result of the latest reload. */
export async function configurationPage({ portal, words }: PageView): Promise<PortalOutcome> {
  const { configuration } = portal;
  const { file, running, lastReload, needsRestart } = configuration.state;
  const isServed = await configuration.isFileServed();
  return {
    kind: 'page',
    page: 'CONFIGURATION.HTML',
    variables: {
      $FILE$: [file],
      '$READ-TIME$': [words.instant(running.readAt)],
      '$FILE-STATE$': [fileState(isServed, words)],
      '$FILE-IS-SERVED$': isServed === true ? ['yes'] : undefined,
      '$RUNNING-TEXT$': [running.text],
      ...restartVariables(needsRestart),
      ...reloadVariables(lastReload, file, words),
    },
  };
}

/** The effects of a reload. The file is checked when the page is requested. */
export async function reloadPage({ portal, site, words }: PortalRequest): Promise<PortalOutcome> {
  const { configuration } = portal;
  const workers = site.nodes?.onThisMachine ?? [];
  const { file } = configuration.state;
  const check = await configuration.check();
  return {
    kind: 'page',
    page: 'CONFIGURATION-RELOAD.HTML',
    variables: {
      $FILE$: [file],
      $WORKERS$: workers.length === 0 ? undefined : [words.counted('worker', workers.length + 1)],
      '$OTHER-SERVERS$': otherServers(portal, workers).length === 0 ? undefined : [EVERY_SERVER],
      ...checkVariables(check, file, words),
    },
  };
}

/** Applies the checked file at all workers of this machine, which share the file. Other servers apply their own files. */
export async function reloadConfiguration(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, actor, field, fields, site, words } = request;
  const seen = field('SEEN');
  const outcome = await portal.configuration.reload(actor, seen === '' ? undefined : seen);
  if (outcome.kind !== 'done') {
    throw new ServiceError('SVC_ERR_CONFIGURATION_REFUSED', { detail: refusalOf(outcome) });
  }
  const isComplete = outcome.needsRestart.length === 0;
  const done = redirectTo(PAGE, isComplete ? 'configuration-reloaded' : 'configuration-reloaded-partly');
  const workers = site.nodes?.onThisMachine ?? [];
  const others = field('WHERE') === EVERY_SERVER ? otherServers(portal, workers) : [];
  // the tag of the checked file is valid only in this process
  const unseen = new Map([...fields].filter(([name]) => name !== 'SEEN'));
  const acts = await formRepeatedAt({ ...request, fields: unseen }, [...workers, ...others]);
  if (acts.length === 0) return done;
  return confirmation({
    title: words.text('configuration.answers'),
    facts: [ownAnswer(request, done.to), ...acts.map((act) => nodeAnswerText(act, words))],
    action: '',
    button: undefined,
    back: PAGE,
  });
}

/** Running servers, except those of this machine. */
function otherServers({ nodes }: PortalRequest['portal'], workers: readonly string[]): readonly string[] {
  return nodes.nodes
    .filter(({ code, this: isThis, state }) => !isThis && state !== 'gone' && !workers.includes(code))
    .map(({ code }) => code);
}

function fileState(isServed: boolean | undefined, words: PortalWording): string {
  if (isServed === undefined) return words.text('configuration.unreadable');
  return words.text(isServed ? 'configuration.active' : 'configuration.changed');
}

function checkVariables(check: ConfigurationCheck, file: string, words: PortalWording): PageVariables {
  switch (check.kind) {
    case 'wrong':
      return { ...diagnosticVariables(check.diagnostics, file, words), '$IS-WRONG$': ['yes'] };
    case 'refused':
      return { $REFUSAL$: [check.reason] };
    case 'sound': {
      const { read, warnings, takenOver, needsRestart, difference } = check;
      const isSame = difference.every(({ mark }) => mark === 'same');
      return {
        '$IS-SOUND$': ['yes'],
        $SEEN$: [read.tag],
        ...diagnosticVariables(warnings, file, words),
        $CHANGE$: takenOver.slice(0, MOST_SHOWN),
        '$NO-CHANGE$': takenOver.length === 0 && needsRestart.length === 0 ? ['yes'] : undefined,
        '$MASKED-ALONE$': isSame && takenOver.length > 0 ? ['yes'] : undefined,
        ...restartVariables(needsRestart),
        ...textDifferenceVariables(difference, words),
      };
    }
  }
}

function diagnosticVariables(
  diagnostics: readonly SourceDiagnostic[],
  file: string,
  words: PortalWording,
): PageVariables {
  const shown = diagnostics.slice(0, MOST_SHOWN);
  const more = diagnostics.length - shown.length;
  return {
    $DIAGNOSTIC$: shown.map((one) => placeText(one, file)),
    '$DIAGNOSTIC-MORE$': more > 0 ? [words.counted('moreFault', more)] : undefined,
  };
}

/** `sallyport.yaml:12:3: error: …`: file names are relative to the folder of the configuration. */
function placeText(diagnostic: SourceDiagnostic, file: string): string {
  return formatPlace({ ...diagnostic, file: relative(dirname(file), diagnostic.file) });
}

function restartVariables(needsRestart: Replaced['needsRestart']): PageVariables {
  return {
    $RESTART$: needsRestart.map(({ what }) => what),
    '$RESTART-REASON$': needsRestart.map(({ reason }) => reason),
  };
}

function reloadVariables(report: ReloadReport | undefined, file: string, words: PortalWording): PageVariables {
  if (report === undefined) return {};
  const { at, who, outcome } = report;
  return {
    '$RELOAD-TIME$': [words.instant(at)],
    '$RELOAD-USER$': [who],
    '$RELOAD-OUTCOME$': [outcome.kind === 'refused' ? '' : outcomeText(outcome, words)],
    '$RELOAD-REASON$': outcome.kind === 'refused' ? [asSentence(outcome.reason)] : undefined,
    '$RELOAD-FAILED$': outcome.kind === 'done' ? undefined : ['yes'],
    ...(outcome.kind === 'wrong' ? diagnosticVariables(outcome.diagnostics, file, words) : {}),
  };
}

function refusalOf(outcome: Exclude<ReloadOutcome, { kind: 'done' }>): PublicDetail {
  if (outcome.kind === 'refused') return { foreign: asSentence(outcome.reason) };
  const number = outcome.diagnostics.length;
  return { code: number === 1 ? 'configuration.error' : 'configuration.errors', values: { number } };
}

function outcomeText(outcome: Exclude<ReloadOutcome, { kind: 'refused' }>, words: PortalWording): string {
  if (outcome.kind === 'wrong') return words.counted('configuration.faults', outcome.diagnostics.length);
  if (outcome.takenOver.length === 0) return words.text('configuration.nothingApplied');
  return words.text('configuration.applied', { names: outcome.takenOver.slice(0, MOST_SHOWN).join(', ') });
}
