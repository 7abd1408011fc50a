export const FORM_TYPE = 'application/x-www-form-urlencoded';
const JSON_TYPES = /^application\/(?:json|[\w.-]+\+json)$/;
const XML_TYPES = /^(?:text\/xml|application\/(?:xml|[\w.-]+\+xml))$/;

/** Without parameters, in lower case. Empty if there is no type. */
export function mediaTypeOf(contentType = ''): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}

export function isJsonType(type: string): boolean {
  return JSON_TYPES.test(type);
}

export function isXmlType(type: string): boolean {
  return XML_TYPES.test(type);
}
