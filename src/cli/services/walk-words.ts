import type { WalkNews, WalkOutcome } from '../../services/run-steps.js';
import type { ServiceStep } from '../../services/service-definition.js';
import { hostEndWords } from '../../tn3270/conversation/host-end-words.js';
import type { UndoneStep } from '../../tn3270/conversation/step.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';

type Unfinished = Exclude<WalkOutcome, { kind: 'done' } | { kind: 'answered' }>;

/** A step as it is taken: what stands in the file, and nothing of what parameters hold. */
export function newsWords({ kind, step, ...news }: WalkNews, steps: readonly ServiceStep[]): string {
  const { at, fill = [], type = [], press, transfer, extract } = steps[step - 1] ?? {};
  if (kind === 'leftOut') return `step ${step}: left out, the host is not at ${at?.join(' or ')}`;
  const screen = 'screen' in news ? news.screen : '';
  const does = [
    ...(extract === undefined || extract.size === 0 ? [] : [`read ${[...extract.keys()].join(', ')}`]),
    ...(fill.length === 0 ? [] : [`fill in ${fill.map(({ field }) => fieldWords(field)).join(', ')}`]),
    ...(type.length === 0 ? [] : ['type']),
    ...(press === undefined ? [] : [`press ${press}`]),
    ...(transfer === undefined ? [] : [`${transfer.options.direction} the file ${transfer.contents}`]),
  ];
  return `step ${step}: ${screen}${does.length === 0 ? '' : ` (${does.join('; ')})`}`;
}

function fieldWords(field: ServiceStep['fill'][number]['field']): string {
  return 'label' in field ? JSON.stringify(field.label) : `row ${field.at[0]}, column ${field.at[1]}`;
}

/** Why a walk did not come to its end, a line each. */
export function failureWords(outcome: Unfinished): readonly string[] {
  const begin = `step ${outcome.step}:`;
  switch (outcome.kind) {
    case 'failed':
      return undoneWords(outcome.failure).map((line, at) => (at === 0 ? `${begin} ${line}` : line));
    case 'unreadable':
      return outcome.faults.map(({ name, row, expected }) => {
        return `${begin} ${name}${row === undefined ? '' : ` in row ${row}`}: expected ${expected}`;
      });
    case 'tooManyRows':
      return [
        `${begin} ${outcome.name}: there are more rows than "most" allows, or the table did not end as "until" says`,
      ];
    case 'notTransferred':
      return [`${begin} the file was not transferred: ${outcome.words}`];
  }
}

function undoneWords(failure: UndoneStep): readonly string[] {
  switch (failure.kind) {
    case 'guardFailed':
      return [
        `the host shows none of ${failure.expected.join(', ')}`,
        ...failure.differs.flatMap(({ screen, differs }) => differs.map((line) => `  ${screen}: ${line}`)),
      ];
    case 'timedOut':
      return [
        `the host has not answered in time${failure.expected.length === 0 ? '' : ` with ${failure.expected.join(', ')}`}`,
      ];
    case 'operatorError':
      return [
        `the terminal does not take what was to be typed at row ${failure.at[0]}, column ${failure.at[1]}: ${failure.code}`,
      ];
    case 'withheld':
      return ['the INPUT scenario of the transaction withheld the key'];
    case 'hostGone':
      return [hostEndWords(failure.end)];
    case 'screenFault':
      return [`the host sent a faulty record (X PROG ${failure.programCheck})`];
  }
}

/** The screen that a walk stopped on, where there is one. */
export function pictureOfFailure(outcome: Unfinished): ScreenImage | undefined {
  return outcome.kind === 'failed' && 'image' in outcome.failure ? outcome.failure.image : undefined;
}
