import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import { checkServiceTexts } from '../../config/load-services.js';
import { rowTexts } from '../../conversation/displayed-text.js';
import { differences, isScreen } from '../../conversation/screen-definition.js';
import type { WalkedSession } from '../../conversation/walked-session.js';
import type { Log } from '../../log.js';
import type { SharedStores } from '../../postgresql/shared-stores.js';
import type { ScreenImage } from '../../screen/screen-image.js';
import type { DraftStore } from '../../services/draft-store.js';
import { DRAFTS_NAME, FileDraftStore } from '../../services/file-draft-store.js';
import { readParameters } from '../../services/parameter.js';
import { runSteps, type WalkOutcome } from '../../services/run-steps.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { ServiceTexts } from '../../services/service-publishing.js';
import { wordsOfWalk } from '../../services/words-of-walk.js';
import type { CheckedTexts, SiteRecordings, TrialEnd } from '../../web/recordings/recording-ports.js';
import { type Part, type Replacement, unchanged } from '../part.js';
import type { SecurityPart } from './security-part.js';
import { ServicePlanner } from './service-planner.js';
import { type RunningConfiguration, ServicePublisher } from './service-publisher.js';

/** Faults told at once. */
const MOST_FAULTS = 100;

/** What becomes of recordings: their checks, trials and drafts. */
export class RecordingsPart implements Part {
  readonly name = 'recordings';
  readonly reads = ['servicesFolder'] as const;
  readonly #security: SecurityPart;
  readonly #log: Log;
  readonly #running: RunningConfiguration;
  readonly #drafts: DraftStore;
  readonly #planner = new ServicePlanner();
  #folder: string | undefined;

  constructor(
    { data, servicesFolder }: Configuration,
    security: SecurityPart,
    log: Log,
    running: RunningConfiguration,
    shared?: SharedStores,
  ) {
    this.#folder = servicesFolder;
    this.#security = security;
    this.#log = log;
    this.#running = running;
    this.#drafts = shared?.drafts ?? new FileDraftStore(join(data, DRAFTS_NAME));
  }

  /** What lines are given of them. */
  get site(): SiteRecordings {
    const { audit } = this.#security.users;
    const [folder, running, log] = [this.#folder, this.#running, this.#log];
    const publishing =
      folder === undefined ? undefined : new ServicePublisher({ folder, planner: this.#planner, running, audit, log });
    return { check, walk, drafts: this.#drafts, publishing, audit };
  }

  async start(): Promise<void> {}

  stop(): Promise<void> {
    return this.#planner.close();
  }

  async replace({ servicesFolder }: Configuration): Promise<Replacement> {
    return {
      ...unchanged,
      takenOver: servicesFolder === this.#folder ? [] : ['services'],
      take: () => {
        this.#folder = servicesFolder;
      },
    };
  }
}

function check(texts: ServiceTexts): CheckedTexts {
  const loaded = checkServiceTexts(texts);
  const faults = loaded.reports.flatMap(({ diagnostics }) => diagnostics).slice(0, MOST_FAULTS);
  const service = soundService(loaded);
  return {
    faults,
    service: service && {
      name: service.name,
      pool: service.pool,
      parameters: [...service.parameters].map(([name, { type, secret, required }]) => ({
        name,
        type,
        isSecret: secret,
        isRequired: required,
      })),
    },
  };
}

function soundService({ reports, services }: ReturnType<typeof checkServiceTexts>): ServiceDefinition | undefined {
  const isFaulty = reports.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
  return isFaulty ? undefined : [...services.values()][0];
}

async function walk(
  texts: ServiceTexts,
  values: Readonly<Record<string, unknown>>,
  session: WalkedSession,
  signal: AbortSignal,
): Promise<TrialEnd> {
  const loaded = checkServiceTexts(texts);
  const service = soundService(loaded);
  if (service === undefined) return { kind: 'notBegun', reasons: ['It has errors: check it first.'] };
  if (service.work.kind !== 'steps') {
    return { kind: 'notBegun', reasons: ['A service made of a scenario is not tried here.'] };
  }
  const read = readParameters(service.parameters, values);
  if (read.kind === 'faults') {
    return { kind: 'notBegun', reasons: read.faults.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`) };
  }
  const { steps } = service.work;
  const { screens } = loaded;
  const first = (steps[0]?.at ?? []).flatMap((name) => screens.get(name) ?? []);
  const { image } = session;
  if (!session.isSettled || !first.some((screen) => isScreen(screen, image))) {
    const differs = first.flatMap((screen) => differences(screen, image).map((words) => `${screen.name}: ${words}`));
    return { kind: 'notBegun', reasons: ['The session must stand on the first screen.', ...differs] };
  }
  const outcome = await runSteps({ session, screens, steps, values: read.values, signal });
  return endOf(outcome, session.image);
}

function endOf(outcome: WalkOutcome, image: ScreenImage): TrialEnd {
  if (outcome.kind === 'done') return outcome;
  if (outcome.kind === 'answered') {
    const { status, code, message } = outcome;
    return { kind: 'done', extracts: { status, code, message } };
  }
  const isGone = outcome.kind === 'failed' && outcome.failure.kind === 'hostGone';
  const picture = isGone
    ? undefined
    : rowTexts(image)
        .map((row) => row.trimEnd())
        .join('\n')
        .trimEnd();
  return { kind: 'stopped', reasons: [wordsOfWalk(outcome)], picture };
}
