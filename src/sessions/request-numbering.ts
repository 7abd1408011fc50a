import { ServiceError } from '../lib/errors.js';

/** `X-Svc-Request-Id`: number, attention key, time of day (specification 4.2). */
const requestId = /^([1-9]\d{0,8}) ([A-Za-z0-9-]{1,32}) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

interface Numbered {
  readonly id: string;
  readonly number: number;
  readonly answer: Promise<unknown>;
  isAnswered: boolean;
}

/** @throws ServiceError SVC_ERR_SUBMIT_NUMBER if the request id is malformed */
export function readRequestNumber(id: string): number {
  const digits = requestId.exec(id)?.[1];
  if (digits !== undefined) return Number(digits);
  throw new ServiceError('SVC_ERR_SUBMIT_NUMBER', {
    detail: { code: 'submit.number' },
  });
}

export class RequestNumbering {
  #last: Numbered | undefined;
  #restarted = true;

  get next(): number {
    return (this.#last?.number ?? 0) + 1;
  }

  get isAnswering(): boolean {
    return this.#last?.isAnswered === false;
  }

  /** Call when a page is reloaded: its numbers may restart. */
  restart(): void {
    this.#restarted = true;
  }

  /**
   * Executes a request, or returns the stored answer if the request repeats the last one.
   * @throws ServiceError SVC_ERR_SUBMIT_NUMBER if the number is lower than that of the last request
   */
  once<Answer>(id: string, carryOut: () => Promise<Answer>): Promise<Answer> {
    const number = readRequestNumber(id);
    const last = this.#last;
    if (last !== undefined) {
      const repeats = last.id === id || (last.number === number && !this.#restarted);
      if (repeats) return last.answer as Promise<Answer>;
      if (number < last.number && !this.#restarted) {
        throw new ServiceError('SVC_ERR_SUBMIT_NUMBER', {
          detail: { code: 'submit.answered', values: { number, last: last.number } },
        });
      }
    }
    const answer = carryOut();
    const numbered: Numbered = { id, number, answer, isAnswered: false };
    const note = () => {
      numbered.isAnswered = true;
    };
    answer.then(note, note);
    this.#last = numbered;
    this.#restarted = false;
    return answer;
  }
}
