import { checkServiceTexts, readSteps } from '../../config/load-services.js';
import type { Detail } from '../../lib/locale.js';
import { answerOrders } from '../../lib/turns/thread-orders.js';
import { readParameters } from '../../services/parameter.js';
import type { ServiceDefinition } from '../../services/service-definition.js';
import type { ServiceTexts } from '../../services/service-publishing.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import type { ScreenCondition } from '../../tn3270/screen/screen-condition.js';
import type { CheckedTexts } from '../../web/recordings/recording-ports.js';
import {
  type KnownScreens,
  type PreparedTrial,
  stepsReading,
  type TrialOrder,
  textsCheck,
  trialPreparation,
} from './service-texts-work.js';

const MOST_FAULTS = 100;

answerOrders(textsCheck, check);
answerOrders(trialPreparation, prepare);
answerOrders(stepsReading, ({ document, screens }) => readSteps(document, withConditions(screens)));

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

/** Also matches the values against their patterns. */
function prepare({ texts, values }: TrialOrder): PreparedTrial {
  const loaded = checkServiceTexts(texts);
  const service = soundService(loaded);
  if (service === undefined) return notBegun({ code: 'service.hasErrors' });
  if (service.work.kind !== 'steps') return notBegun({ code: 'trial.scenario' });
  const read = readParameters(service.parameters, values);
  if (read.kind === 'faults') {
    return notBegun(...read.faults.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`));
  }
  return { kind: 'prepared', screens: loaded.screens, steps: service.work.steps, values: read.values };
}

function withConditions(screens: KnownScreens): ReadonlyMap<string, ScreenDefinition> {
  // Only the number of conditions matters.
  const anything: ScreenCondition = { text: '' };
  return new Map(screens.map(([name, count]) => [name, { name, conditions: new Array(count).fill(anything) }]));
}

function soundService({ reports, services }: ReturnType<typeof checkServiceTexts>): ServiceDefinition | undefined {
  const isFaulty = reports.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
  return isFaulty ? undefined : [...services.values()][0];
}

function notBegun(...reasons: readonly Detail[]): PreparedTrial {
  return { kind: 'notBegun', reasons };
}
