import { basename, dirname, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatPlace, type SourceDiagnostic } from '../../lib/documents/source-diagnostic.js';
import type {
  LoadedDirectory,
  LoadedPrograms,
  LoadedScenario,
  LoadedService,
} from '../../operation/loaded-programs.js';
import type { PortalWording } from '../words/portal-wording.js';
import { paged } from './paging.js';
import { servicePath, topicParameter } from './portal-paths.js';
import type { PageVariables, PageView, PortalOutcome } from './portal-route.js';

const PATH = '/loaded';
/** Maximum number of diagnostics shown for one file. */
const MOST_REMARKS = 5;
/** Maximum number of names listed for one entry. */
const MOST_NAMES = 20;
const LONGEST_SEARCH = 64;
/** Query parameters with the page number of each list. */
const lists = ['transaction', 'scenario', 'service', 'screen', 'file'] as const;

/** Returns one page of a list, and variables with links to the other pages. */
type ShowPage = <Entry>(all: readonly Entry[], name: string) => ReturnType<typeof paged<Entry>>;

/** Everything that the server has loaded, with the files. */
export async function loadedPage({ portal: { programs }, query, words }: PageView): Promise<PortalOutcome> {
  const search = query('search').trim().slice(0, LONGEST_SEARCH);
  const folded = search.toLowerCase();
  const holds = (...texts: readonly (string | undefined)[]) =>
    folded === '' || texts.some((text) => text?.toLowerCase().includes(folded));
  const pageOf: ShowPage = (all, name) => {
    const parameter = name.toLowerCase();
    return paged(all, query(parameter), { name, path: PATH, parameter, others: { search }, words });
  };
  const numbers = Object.fromEntries(
    lists.map((name) => [name, query(name)]).filter(([, number = '']) => /^\d{1,6}$/.test(number)),
  );
  const shown = (file: string) => relative(dirname(programs.configurationFile), file);
  const services = programs.services.filter(({ name, file }) => holds(name, basename(file)));
  const scenarios = programs.scenarios.filter(({ name, file }) => holds(name, basename(file)));
  const screens = pageOf(
    programs.screens.filter(({ name }) => holds(name)),
    'SCREEN',
  );
  return {
    kind: 'page',
    page: 'LOADED.HTML',
    variables: {
      $SEARCH$: search === '' ? undefined : [search],
      $TOPIC$: [`loaded:${topicParameter({ search, ...numbers })}`],
      '$CONFIGURATION-FILE$': [programs.configurationFile],
      ...transactionVariables(programs, { holds, pageOf, words }),
      ...scenarioVariables(pageOf(scenarios, 'SCENARIO'), shown, words),
      ...serviceVariables(pageOf(services, 'SERVICE'), shown, words),
      ...screens.variables,
      $SCREEN$: screens.entries.map(({ name }) => name),
      '$SCREEN-FILE$': screens.entries.map(({ file, line }) =>
        words.text('loaded.atLine', { file: shown(file), line: words.number(line) }),
      ),
      '$SCREEN-REMARK$': remarksOf(programs.diagnostics, shown, words),
      ...(await fileVariables(programs.directories, { holds, pageOf, words })),
    },
  };
}

type Holds = (...texts: readonly (string | undefined)[]) => boolean;
interface Listing {
  readonly holds: Holds;
  readonly pageOf: ShowPage;
  readonly words: PortalWording;
}

type Paged<Entry> = ReturnType<typeof paged<Entry>>;

function transactionVariables({ transactions }: LoadedPrograms, { holds, pageOf, words }: Listing): PageVariables {
  const found = transactions.filter(({ name, entryPoint, application }) => holds(name, entryPoint, application));
  const { entries, variables } = pageOf(found, 'TRANSACTION');
  return {
    ...variables,
    $TRANSACTION$: entries.map(({ name }) => name),
    '$TRANSACTION-ENTRY-POINT$': entries.map(({ entryPoint }) => entryPoint),
    '$TRANSACTION-TEXT$': entries.map(({ description }) => description),
    '$TRANSACTION-KIND$': entries.map(({ kind }) => words.text(`loaded.${kind}`)),
    '$TRANSACTION-APPLICATION$': entries.map(({ application }) => application ?? '–'),
    '$TRANSACTION-PAGE$': entries.map(({ page }) => page ?? '–'),
    '$TRANSACTION-SCENARIOS$': entries.map(({ scenarios }) => scenarios.join(', ') || '–'),
  };
}

function scenarioVariables(
  { entries, variables }: Paged<LoadedScenario>,
  shown: (file: string) => string,
  words: PortalWording,
): PageVariables {
  return {
    ...variables,
    $SCENARIO$: entries.map(({ name }) => name),
    '$SCENARIO-KINDS$': entries.map(({ kinds }) => kinds.join(', ') || '–'),
    '$SCENARIO-FILE$': entries.map(({ file }) => shown(file)),
    '$SCENARIO-TROUBLE$': entries.map((scenario) => troubleOf(scenario, words)),
    '$SCENARIO-REMARKS$': entries.map(({ diagnostics }) => remarksOf(diagnostics, shown, words).join('\n')),
  };
}

function troubleOf({ assembles, kinds }: LoadedScenario, words: PortalWording): string {
  if (assembles) return '';
  return words.text(kinds.length === 0 ? 'loaded.faulty' : 'loaded.faultyEarlier');
}

function serviceVariables(
  { entries, variables }: Paged<LoadedService>,
  shown: (file: string) => string,
  words: PortalWording,
): PageVariables {
  return {
    ...variables,
    $SERVICE$: entries.map(({ name }) => name),
    '$SERVICE-PATH$': entries.map(({ name, isCallable }) => (isCallable ? servicePath(name) : '')),
    '$SERVICE-TRY$': entries.map(({ name }) => words.text('loaded.try', { name })),
    '$SERVICE-TEXT$': entries.map(({ description }) => description),
    '$SERVICE-RUNS$': entries.map((service) => runsText(service, words)),
    '$SERVICE-PARAMETERS$': entries.map(({ parameters }) => words.names(parameters, MOST_NAMES) || '–'),
    '$SERVICE-FILE$': entries.map(({ file }) => shown(file)),
    '$SERVICE-REMARKS$': entries.map(({ diagnostics }) => remarksOf(diagnostics, shown, words).join('\n')),
  };
}

function runsText({ runs }: LoadedService, words: PortalWording): string {
  if (runs === undefined) return words.text('loaded.ofPools');
  return runs.kind === 'pool' ? runs.name : words.text('loaded.ofScenario', { name: runs.name });
}

/** Yields to other requests between files, because folders may contain very many. */
async function fileVariables(
  directories: readonly LoadedDirectory[],
  { holds, pageOf, words }: Listing,
): Promise<PageVariables> {
  const counts: string[] = [];
  const found: { readonly directory: LoadedDirectory; readonly file: string }[] = [];
  for (const directory of directories) {
    const files = await directory.files();
    counts.push(words.number(files.length));
    for (const file of files) if (holds(file, directory.name)) found.push({ directory, file });
    await nextTurn();
  }
  const { entries, variables } = pageOf(found, 'FILE');
  const states = entries.map(({ directory, file }) => directory.stateOf(file));
  return {
    ...variables,
    $DIRECTORY$: directories.map(({ name }) => name),
    '$DIRECTORY-FOLDER$': directories.map(({ folder }) => folder),
    '$DIRECTORY-FILES$': counts,
    $FILE$: entries.map(({ file }) => file),
    '$FILE-DIRECTORY$': entries.map(({ directory }) => directory.name),
    '$FILE-STATE$': states.map(({ state }) => (state === 'broken' ? '' : words.text(`loaded.${state}`))),
    '$FILE-TROUBLE$': states.map(({ state }) => (state === 'broken' ? words.text('loaded.broken') : '')),
    '$FILE-REMARKS$': states.map(({ remarks }) => limited(remarks, words).join('\n')),
  };
}

function remarksOf(
  diagnostics: readonly SourceDiagnostic[],
  shown: (file: string) => string,
  words: PortalWording,
): readonly string[] {
  const remarks = diagnostics.map((one) => formatPlace({ ...one, file: shown(one.file) }));
  return limited(remarks, words);
}

function limited(remarks: readonly string[], words: PortalWording): readonly string[] {
  const more = remarks.length - MOST_REMARKS;
  return more > 0 ? [...remarks.slice(0, MOST_REMARKS), words.text('andMore', { more: words.number(more) })] : remarks;
}
