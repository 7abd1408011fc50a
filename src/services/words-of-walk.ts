import { hostEndDetail } from '../tn3270/conversation/host-end-words.js';
import type { WalkOutcome } from './run-steps.js';

/**
 * How a walk ended, for a log: what the host displayed is in it where that tells screens apart and the screen is not withheld, and nothing
 * that was filled in.
 */
export function wordsOfWalk(outcome: WalkOutcome): string {
  switch (outcome.kind) {
    case 'done':
      return 'done';
    case 'answered':
      return `${outcome.code}: ${outcome.message}`;
    case 'unreadable':
      return `step ${outcome.step}: ${outcome.faults.map(({ name }) => name).join(', ')} cannot be read`;
    case 'tooManyRows':
      return `step ${outcome.step}: ${outcome.name} has too many rows`;
    case 'notTransferred':
      return `step ${outcome.step}: the file was not transferred: ${outcome.reason}`;
    case 'failed':
      return `step ${outcome.step}: ${wordsOfFailure(outcome)}`;
  }
}

function wordsOfFailure({ failure, withholdsScreen = false }: Extract<WalkOutcome, { kind: 'failed' }>): string {
  switch (failure.kind) {
    case 'guardFailed': {
      const differs = (words: readonly string[]) => (withholdsScreen ? '' : ` (${words.join('; ')})`);
      return `another screen came than ${failure.differs.map((one) => one.screen + differs(one.differs)).join(', ')}`;
    }
    case 'timedOut':
      return 'the host has not answered in time';
    case 'operatorError':
      return `the terminal takes no input at row ${failure.at[0]}, column ${failure.at[1]}: ${failure.code}`;
    case 'withheld':
      return 'the INPUT scenario of the transaction withheld the key';
    case 'hostGone':
      return `the session has ended: ${hostEndDetail(failure.end) ?? failure.end.kind}`;
    case 'screenFault':
      return `the host sent a record that cannot be carried out: ${failure.programCheck}`;
  }
}
