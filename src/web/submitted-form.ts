import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';
import { parseRequestParameters } from './request-parameters.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The media type of a body, without parameters, in lower case; empty where there is none. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether the body is a form without files. */
export function isPlainForm(incoming: IncomingMessage): boolean {
  return mediaTypeOf(incoming) === FORM_TYPE;
}

/**
 * The fields of a form.
 * @param most fields that it may have
 * @throws ServiceError SVC_ERR_SUBMIT_TYPE, and what `parseRequestParameters` throws
 */
export function formFields(
  incoming: IncomingMessage,
  body: Buffer | undefined,
  most: number,
): ReadonlyMap<string, readonly string[]> {
  if (!isPlainForm(incoming)) throw new ServiceError('SVC_ERR_SUBMIT_TYPE');
  return parseRequestParameters(new TextDecoder().decode(body), most);
}

/** The fields of a form whose bytes nobody needs any more: they are overwritten, for passwords may be among them. */
export function submittedForm(...form: Parameters<typeof formFields>): ReturnType<typeof formFields> {
  const [, body] = form;
  try {
    return formFields(...form);
  } finally {
    body?.fill(0);
  }
}
