import { inspect } from 'node:util';
import { expect } from 'chai';
import { ServiceError } from '../../../src/lib/errors.js';

/** Looks at refusals of a directory, and keeps what they say. */
export function ldapFailures() {
  const failures: string[] = [];

  async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
    const error = await promise.then(
      (value) => expect.fail(`came to ${inspect(value)}`),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ServiceError)) throw error;
    failures.push(inspect(error, { depth: 5, showHidden: true }));
    return error;
  }

  /** With words of the detail. */
  async function isUnavailable(promise: Promise<unknown>, words: RegExp): Promise<void> {
    const { code, detail, headers } = await failureOf(promise);
    expect({ code, headers }).to.deep.equal({
      code: 'SVC_ERR_SECURITY_UNAVAILABLE',
      headers: { 'Retry-After': '10' },
    });
    expect(detail).to.match(words);
  }

  return { failures, failureOf, isUnavailable };
}
