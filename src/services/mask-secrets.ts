import type { UndoneStep } from '../conversation/step.js';
import type { ScreenImage } from '../screen/screen-image.js';
import type { ParameterDefinition } from './parameter.js';
import type { PoolOutcome } from './pool-outcome.js';
import type { WalkOutcome } from './run-steps.js';

const MASK = '*';

/** The values of a call that nobody may see again. */
export function secretsOf(
  parameters: ReadonlyMap<string, ParameterDefinition>,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  return [...parameters].filter(([, { secret }]) => secret).map(([name]) => values.get(name) ?? '');
}

/**
 * What becomes of a walk, without its secrets: a host may display what was filled in, and a message may name it. Extracts are what the
 * service was written to give, and stay as they are.
 */
export function maskSecrets<Outcome extends WalkOutcome | PoolOutcome>(
  outcome: Outcome,
  values: readonly string[],
): Outcome {
  const secrets = values.map((text) => text.trim()).filter((text) => text !== '');
  if (secrets.length === 0) return outcome;
  if (outcome.kind === 'answered') {
    return { ...outcome, message: secrets.reduce(maskedText, outcome.message) };
  }
  if (outcome.kind !== 'failed') return outcome;
  return { ...outcome, failure: maskedFailure(outcome.failure, secrets) };
}

function maskedFailure(failure: UndoneStep, secrets: readonly string[]): UndoneStep {
  if (failure.kind === 'hostGone') return failure;
  const image = maskedImage(failure.image, secrets);
  if (failure.kind !== 'guardFailed') return { ...failure, image };
  const differs = failure.differs.map(({ screen, differs: words }) => ({
    screen,
    differs: words.map((one) => secrets.reduce(maskedText, one)),
  }));
  return { ...failure, image, differs };
}

/** Whatever its case: hosts fold what is typed. A value may go on in the next row. */
function maskedImage(image: ScreenImage, secrets: readonly string[]): ScreenImage {
  const shown = image.cells.map((cell) => folded(cell));
  const cells = [...image.cells];
  for (const secret of secrets) {
    const wanted = [...secret].map((character) => folded(character));
    for (const position of shown.keys()) {
      const covered = coveredBy(shown, position, wanted);
      for (const at of covered) cells[at] = MASK;
    }
  }
  return { ...image, cells };
}

/** The positions that a text stands in from one on, right halves of double-byte characters left out; none where it does not. */
function coveredBy(shown: readonly string[], first: number, wanted: readonly string[]): readonly number[] {
  const covered: number[] = [];
  let position = first;
  for (const character of wanted) {
    while (covered.length > 0 && shown[position] === '') position++;
    if (shown[position] !== character) return [];
    covered.push(position++);
  }
  return covered;
}

/** A text without a secret, whatever its case. */
export function maskedText(text: string, secret: string): string {
  const wanted = folded(secret);
  let masked = '';
  for (let from = 0; ; ) {
    const at = folded(text).indexOf(wanted, from);
    if (at < 0) return masked + text.slice(from);
    masked += text.slice(from, at) + MASK.repeat(secret.length);
    from = at + secret.length;
  }
}

/** One character stays one: what changes its length when folded is compared as it is. */
function folded(text: string): string {
  return [...text]
    .map((character) => {
      const upper = character.toUpperCase();
      return upper.length === character.length ? upper : character;
    })
    .join('');
}
