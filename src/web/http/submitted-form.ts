import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { FORM_TYPE, mediaTypeOf } from '../../lib/text/media-type.js';
import { parseRequestParameters } from './request-parameters.js';

/** Whether the body is a form without files. */
export function isPlainForm(incoming: IncomingMessage): boolean {
  return mediaTypeOf(incoming.headers['content-type']) === FORM_TYPE;
}

/**
 * The fields of a form, whose bytes stay as they are: somebody reads them again.
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

/**
 * The fields of a form. Its bytes are overwritten: passwords may be among them.
 * @param most fields that it may have
 * @throws ServiceError SVC_ERR_SUBMIT_TYPE, and what `parseRequestParameters` throws
 */
export function submittedForm(
  incoming: IncomingMessage,
  body: Buffer | undefined,
  most: number,
): ReadonlyMap<string, readonly string[]> {
  try {
    return formFields(incoming, body, most);
  } finally {
    body?.fill(0);
  }
}
