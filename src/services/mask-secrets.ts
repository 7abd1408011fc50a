import { capitalOf } from '../lib/text/characters.js';
import type { UndoneStep } from '../tn3270/conversation/step.js';
import type { ScreenImage } from '../tn3270/screen/screen-image.js';
import type { ParameterDefinition } from './parameter.js';
import type { PoolOutcome } from './pool-state.js';
import type { WalkOutcome } from './run-steps.js';
import type { ServiceStep } from './service-definition.js';

const MASK = '*';
/** Length of recognized parts of a secret: hosts truncate long values or display them in pieces. */
const SHORTEST_PART = 4;

export function secretNames(
  parameters: ReadonlyMap<string, ParameterDefinition>,
  values: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const isThere = (name: string) => (values.get(name) ?? '').trim() !== '';
  return new Set([...parameters].filter(([name, { secret }]) => secret && isThere(name)).map(([name]) => name));
}

export function secretsOf(
  parameters: ReadonlyMap<string, ParameterDefinition>,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  return [...secretNames(parameters, values)].map((name) => values.get(name) ?? '');
}

/**
 * Masks secrets in the outcome of a walk: a host may display parameter values, and a message may contain them. Extracts
 * are intended output and are not masked. Pieces shorter than SHORTEST_PART are not recognized; see `withheld`.
 */
export function maskSecrets<Outcome extends WalkOutcome | PoolOutcome>(
  outcome: Outcome,
  values: readonly string[],
): Outcome {
  const secrets = values.filter((text) => text.trim() !== '');
  if (secrets.length === 0) return outcome;
  if (outcome.kind === 'answered') return { ...outcome, message: maskedText(outcome.message, secrets) };
  if (outcome.kind !== 'failed') return outcome;
  return { ...outcome, failure: maskedFailure(outcome.failure, secrets) };
}

/** If the host may have received one of these parameters, it may display any part of it in any form. */
export function withheld<Outcome extends WalkOutcome | PoolOutcome>(
  outcome: Outcome,
  steps: readonly ServiceStep[],
  secrets: ReadonlySet<string>,
): Outcome {
  if (outcome.kind !== 'failed' || !isSent(outcome, steps, secrets)) return outcome;
  return { ...outcome, withholdsScreen: true };
}

export function isSent(
  { step, pressed }: Extract<WalkOutcome, { kind: 'failed' }>,
  steps: readonly ServiceStep[],
  parameters: ReadonlySet<string>,
): boolean {
  return steps.slice(0, pressed ? step : step - 1).some(({ fill, type }) => {
    const pieces = [...fill.flatMap(({ text }) => text), ...type];
    return pieces.some((piece) => piece.kind === 'parameter' && parameters.has(piece.name));
  });
}

function maskedFailure(failure: UndoneStep, secrets: readonly string[]): UndoneStep {
  if (failure.kind === 'hostGone') return failure;
  const image = maskedImage(failure.image, secrets);
  if (failure.kind !== 'guardFailed') return { ...failure, image };
  const differs = failure.differs.map(({ screen, differs: words }) => ({
    screen,
    differs: words.map((one) => maskedText(one, secrets)),
  }));
  return { ...failure, image, differs };
}

/** Rows are joined, because a value may continue in the next row. */
function maskedImage(image: ScreenImage, secrets: readonly string[]): ScreenImage {
  return { ...image, cells: masked(image.cells, secrets) };
}

export function maskedText(text: string, secrets: readonly string[]): string {
  return masked([...text], secrets).join('');
}

/** Ignores case, because hosts may change it. The right half of a double-byte character is an empty string. */
function masked(cells: readonly string[], secrets: readonly string[]): readonly string[] {
  const text = cells.map(capitalOf).join('');
  const hidden = new Set<number>();
  const parts = new Set<string>();
  for (const secret of secrets) {
    const wanted = [...secret.trim()].map(capitalOf).join('');
    if (wanted === '') continue;
    let end = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      for (let one = Math.max(at, end); one < at + wanted.length; one++) hidden.add(one);
      end = at + wanted.length;
    }
    for (let at = 0; at + SHORTEST_PART <= wanted.length; at++) parts.add(wanted.slice(at, at + SHORTEST_PART));
  }
  for (let at = 0; at + SHORTEST_PART <= text.length; at++) {
    const part = text.slice(at, at + SHORTEST_PART);
    // parts with blanks are too common to identify a secret
    if (!parts.has(part) || part.includes(' ')) continue;
    for (let one = at; one < at + SHORTEST_PART; one++) hidden.add(one);
  }
  if (hidden.size === 0) return cells;
  let end = 0;
  return cells.map((cell) => {
    const begin = end;
    end += cell.length;
    for (let at = begin; at < end; at++) if (hidden.has(at)) return MASK;
    return cell;
  });
}
