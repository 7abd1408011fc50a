/** What differs between the two versions of SOAP on the wire. */
export interface SoapVersion {
  readonly name: '1.1' | '1.2';
  readonly namespace: string;
  readonly mediaType: string;
  readonly contentType: string;
}

/** W3C Note SOAP 1.1, section 6.1. */
const soap11: SoapVersion = {
  name: '1.1',
  namespace: 'http://schemas.xmlsoap.org/soap/envelope/',
  mediaType: 'text/xml',
  contentType: 'text/xml; charset=utf-8',
};

/** SOAP 1.2 part 1, section 5, and part 2, section 7. */
export const soap12: SoapVersion = {
  name: '1.2',
  namespace: 'http://www.w3.org/2003/05/soap-envelope',
  mediaType: 'application/soap+xml',
  contentType: 'application/soap+xml; charset=utf-8',
};

/** The version that the content type of a request says, or undefined where it says none. */
export function soapVersionOf(contentType: string | undefined): SoapVersion | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return [soap12, soap11].find((version) => version.mediaType === mediaType);
}
