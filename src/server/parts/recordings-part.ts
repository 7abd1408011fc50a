import { join } from 'node:path';
import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';
import { type Orderer, WorkThreads } from '../../lib/turns/work-threads.js';
import type { DraftStore } from '../../services/draft-store.js';
import { DRAFTS_NAME, FileDraftStore } from '../../services/file-draft-store.js';
import { runSteps, type WalkOutcome, wordsOfWalk } from '../../services/run-steps.js';
import type { ServiceTexts } from '../../services/service-publishing.js';
import type { WalkedSession } from '../../tn3270/conversation/conversation.js';
import { rowTexts } from '../../tn3270/conversation/displayed-text.js';
import { differences, isScreen } from '../../tn3270/conversation/screen-definition.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';
import type { CheckedTexts, SiteRecordings, TrialEnd, Trier } from '../../web/recordings/recording-ports.js';
import { type Part, type Replacement, unchanged } from '../part.js';
import type { SecurityPart } from './security-part.js';
import { ServicePlanner } from './service-planner.js';
import { type RunningConfiguration, ServicePublisher } from './service-publisher.js';
import { textsCheck, trialPreparation } from './service-texts-work.js';

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

  get site(): SiteRecordings {
    const { audit } = this.#security.users;
    const [folder, running, log] = [this.#folder, this.#running, this.#log];
    const publishing =
      folder === undefined
        ? undefined
        : new ServicePublisher({ folder, planner: this.#planner, check, running, audit, log });
    return { check, walk, drafts: this.#drafts, publishing, audit };
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

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

function check({ screens, service }: ServiceTexts, orderer: Orderer): Promise<CheckedTexts> {
  return WorkThreads.ofUsers.run(textsCheck, { screens, service }, orderer);
}

async function walk(
  texts: ServiceTexts,
  values: Readonly<Record<string, unknown>>,
  session: WalkedSession,
  { address, signal }: Trier,
): Promise<TrialEnd> {
  const prepared = await WorkThreads.ofUsers.run(trialPreparation, { texts, values }, { address, signal });
  signal.throwIfAborted();
  if (prepared.kind === 'notBegun') return prepared;
  const { steps, screens } = prepared;
  const first = (steps[0]?.at ?? []).flatMap((name) => screens.get(name) ?? []);
  const { image } = session;
  if (!session.isSettled || !first.some((screen) => isScreen(screen, image))) {
    const differs = first.flatMap((screen) => differences(screen, image).map((words) => `${screen.name}: ${words}`));
    return { kind: 'notBegun', reasons: [{ code: 'trial.firstScreen' }, ...differs] };
  }
  const outcome = await runSteps({ session, screens, steps, values: prepared.values, signal });
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
