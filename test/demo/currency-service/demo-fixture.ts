import { DemoCurrencyService } from '../../../src/demo/currency-service/demo-currency-service.js';
import { silentLog } from '../../../src/lib/log/log.js';

/** A running service on a free port. */
export async function startDemo(): Promise<{ service: DemoCurrencyService; url: string; serviceUrl: string }> {
  const service = new DemoCurrencyService({ host: '127.0.0.1', port: 0, log: silentLog });
  const { url } = await service.start();
  return { service, url, serviceUrl: `${url}/CurrencyConvertor.asmx` };
}

export const contentTypes = { '1.1': 'text/xml; charset=utf-8', '1.2': 'application/soap+xml' } as const;
export type Version = keyof typeof contentTypes;

const namespaces = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

/** The request of specification 4.5, in either version of SOAP. */
export function conversionEnvelope(from: string, to: string, version: Version = '1.2'): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<soap12:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:soap12="${namespaces[version]}">
  <soap12:Body>
    <ConversionRate xmlns="http://www.webserviceX.NET/">
      <FromCurrency>${from}</FromCurrency>
      <ToCurrency>${to}</ToCurrency>
    </ConversionRate>
  </soap12:Body>
</soap12:Envelope>`;
}

export function postSoap(
  url: string,
  body: string,
  version: Version = '1.2',
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const contentType = { 'Content-Type': contentTypes[version] };
  return fetch(url, { method: 'POST', headers: { ...contentType, ...headers }, body, redirect: 'manual' });
}
