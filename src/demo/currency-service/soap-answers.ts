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

export function soapVersionOf(contentType: string | undefined): SoapVersion | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return [soap12, soap11].find((version) => version.mediaType === mediaType);
}

export const serviceNamespace = 'urn:sallyport:demo-currency';

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';

export interface SoapFault {
  /** Responsible side: client (`Client`, `Sender`) or service (`Server`, `Receiver`). */
  readonly side: 'client' | 'service';
  /** Plain text without characters that XML must escape. */
  readonly reason: string;
  readonly actor: string;
}

export function rateEnvelope({ namespace }: SoapVersion, rate: string): string {
  return (
    `${DECLARATION}<soap:Envelope xmlns:soap="${namespace}"><soap:Body>` +
    `<ConversionRateResponse xmlns="${serviceNamespace}"><ConversionRateResult>${rate}</ConversionRateResult>` +
    '</ConversionRateResponse></soap:Body></soap:Envelope>'
  );
}

export function plainRate(rate: string): string {
  return `${DECLARATION}<double xmlns="${serviceNamespace}">${rate}</double>`;
}

export function faultEnvelope(version: SoapVersion, fault: SoapFault): string {
  return DECLARATION + (version.name === '1.2' ? soap12Fault(version, fault) : soap11Fault(version, fault));
}

/** SOAP 1.1, section 4.4. */
function soap11Fault({ namespace }: SoapVersion, { side, reason, actor }: SoapFault): string {
  return (
    `<soap:Envelope xmlns:soap="${namespace}"><soap:Body><soap:Fault>` +
    `<faultcode>soap:${side === 'client' ? 'Client' : 'Server'}</faultcode>` +
    `<faultstring>${reason}</faultstring><faultactor>${actor}</faultactor>` +
    '</soap:Fault></soap:Body></soap:Envelope>'
  );
}

/** SOAP 1.2 part 1, section 5.4. */
function soap12Fault({ namespace }: SoapVersion, { side, reason, actor }: SoapFault): string {
  return (
    `<soap12:Envelope xmlns:soap12="${namespace}"><soap12:Body><soap12:Fault>` +
    `<soap12:Code><soap12:Value>soap12:${side === 'client' ? 'Sender' : 'Receiver'}</soap12:Value></soap12:Code>` +
    `<soap12:Reason><soap12:Text xml:lang="en">${reason}</soap12:Text></soap12:Reason>` +
    `<soap12:Node>${actor}</soap12:Node><soap12:Role>${actor}</soap12:Role>` +
    '</soap12:Fault></soap12:Body></soap12:Envelope>'
  );
}
