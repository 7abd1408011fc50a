import { capitalOf } from '../lib/text/characters.js';
import type { UndoneStep } from '../tn3270/conversation/step.js';
import type { ScreenImage } from '../tn3270/screen/screen-image.js';
import type { ParameterDefinition } from './parameter.js';
import type { PoolOutcome } from './pool-definition.js';
import type { WalkOutcome } from './run-steps.js';
import type { ServiceStep } from './service-definition.js';

const MASK = '*';
/** Characters in a row by which a part of a secret is known: hosts cut what is too long, and show it in pieces. */
const SHORTEST_PART = 4;

/** Names of the parameters of a call that nobody may see again, and that it has. */
export function secretNames(
  parameters: ReadonlyMap<string, ParameterDefinition>,
  values: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const isThere = (name: string) => (values.get(name) ?? '').trim() !== '';
  return new Set([...parameters].filter(([name, { secret }]) => secret && isThere(name)).map(([name]) => name));
}

/** Their values. */
export function secretsOf(
  parameters: ReadonlyMap<string, ParameterDefinition>,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  return [...secretNames(parameters, values)].map((name) => values.get(name) ?? '');
}

/**
 * What becomes of a walk, without its secrets: a host may display what was filled in, and a message may name it. Extracts are what the
 * service was written to give, and stay as they are. A host may also show a secret in pieces that are too short to be known:
 * `withheld` says so.
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

/**
 * A walk that withholds the screen it failed on where the host had been sent one of these parameters: it may then show any part of it, in
 * any form. Before, it cannot.
 */
export function withheld<Outcome extends WalkOutcome | PoolOutcome>(
  outcome: Outcome,
  steps: readonly ServiceStep[],
  secrets: ReadonlySet<string>,
): Outcome {
  if (outcome.kind !== 'failed' || !isSent(outcome, steps, secrets)) return outcome;
  return { ...outcome, withholdsScreen: true };
}

/** Whether the host may have been sent one of these parameters when the walk failed. */
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

/** A value may go on in the next row. */
function maskedImage(image: ScreenImage, secrets: readonly string[]): ScreenImage {
  return { ...image, cells: masked(image.cells, secrets) };
}

/** A text without secrets and parts of them, whatever their case. */
export function maskedText(text: string, secrets: readonly string[]): string {
  return masked([...text], secrets).join('');
}

/** Whatever its case: hosts fold what is typed. Right halves of double-byte characters are cells without a character. */
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
    // blanks are everywhere, and say nothing of a secret
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
