import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import type { RequestFile, ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { ItemNames } from '../../templates/render.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { isMultipartForm, MultipartError, type MultipartPart, multipartParts } from '../http/multipart-parts.js';
import { formFields, isPlainForm, MOST_PARAMETERS } from '../http/request-parameters.js';

/** Limits of a body for a scenario. The whole body is also limited by the line's `bodyBytes`. */
const requestInputLimits = {
  parts: MOST_PARAMETERS,
  files: 16,
  fileBytes: 16_777_216,
  fieldBytes: 1_048_576,
} as const;

interface RequestInput {
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly RequestFile[];
}

/**
 * Reads the query and a form. Other bodies are left for MAP$ FROM-INPUT.
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE above a limit; SVC_ERR_REQUEST_BODY, SVC_ERR_REQUEST_BODY_TYPE,
 * SVC_ERR_REQUEST_PARAMETERS and SVC_ERR_REQUEST_ENCODING
 */
export async function requestInput({ incoming, parameters, body }: ClientRequest): Promise<RequestInput> {
  if (incoming.method !== 'POST' || body === undefined) return { parameters, files: [] };
  if (isPlainForm(incoming)) {
    return { parameters: joined(parameters, formFields(incoming, body, MOST_PARAMETERS)), files: [] };
  }
  const contentType = incoming.headers['content-type'] ?? '';
  if (!isMultipartForm(contentType)) return { parameters, files: [] };
  const parts = await partsOf(contentType, body);
  return { parameters: joined(parameters, fieldsOf(parts)), files: filesOf(parts) };
}

async function partsOf(contentType: string, body: Buffer): Promise<readonly MultipartPart[]> {
  try {
    return await multipartParts(contentType, body, requestInputLimits);
  } catch (fault) {
    if (!(fault instanceof MultipartError)) throw fault;
    if (fault.kind === 'parts') throw tooLarge('body.parts', requestInputLimits.parts);
    throw new ServiceError('SVC_ERR_REQUEST_BODY', {
      detail: { code: 'body.multipart', values: { fault: fault.reason } },
    });
  }
}

function fieldsOf(parts: readonly MultipartPart[]): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { name, fileName, bytes, isCut } of parts) {
    if (fileName !== undefined) continue;
    if (isCut) throw tooLarge('body.fieldBytes', requestInputLimits.fieldBytes);
    const text = bytes.toString();
    if (`${name}${text}`.includes('\0')) {
      throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.nul' } });
    }
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [text]);
    else values.push(text);
  }
  return fields;
}

/** Skips the empty part that browsers send if no file is chosen. */
function filesOf(parts: readonly MultipartPart[]): RequestFile[] {
  const files: RequestFile[] = [];
  for (const { name, fileName, bytes, isCut } of parts) {
    if (fileName === undefined || (fileName === '' && bytes.length === 0)) continue;
    if (isCut) throw tooLarge('body.fileBytes', requestInputLimits.fileBytes);
    if (files.length === requestInputLimits.files) throw tooLarge('body.files', requestInputLimits.files);
    files.push({ name, fileName, bytes });
  }
  return files;
}

function joined(
  query: ReadonlyMap<string, readonly string[]>,
  form: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  if (query.size === 0) return form;
  const both = new Map(query);
  for (const [name, values] of form) both.set(name, [...(both.get(name) ?? []), ...values]);
  return both;
}

function tooLarge(code: Reason['code'], most: number): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_BODY_SIZE', { detail: { code, values: { most } } });
}

export function scenarioRequest(
  site: ClientSite,
  { id, incoming, target, body }: ClientRequest,
  names: ItemNames,
  { parameters, files }: RequestInput,
): ScenarioRequest {
  return {
    requestId: id,
    method: incoming.method ?? 'GET',
    path: target.path,
    query: target.query,
    parameters,
    headers: incoming.headers,
    body,
    files,
    names,
    directory: site.entryPoint.definition.directory,
  };
}
