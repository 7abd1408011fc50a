import type { Transaction } from '../line/transaction.js';
import type { ClientRequest } from './client-request.js';
import type { ClientSite } from './client-site.js';

/** What a request was found to lead to. */
export interface RequestPlace {
  readonly page: string;
  readonly directory: string;
  readonly transaction: Transaction | undefined;
  /** What follows the transaction in the URL. */
  readonly routingParameter: string | undefined;
}

/** Values of the items of NAME-OF (reference 2.7) that the edge knows. Items without a value are left out. */
export function requestNames(site: ClientSite, request: ClientRequest, place: RequestPlace): Map<string, string> {
  const { line, entryPoint } = site;
  const { transaction } = place;
  const names = new Map<string, string>();
  names.set('LINE-INTERNAL', line.name);
  names.set('LINE-EXTERNAL', line.externalName);
  names.set('ENTRY-POINT', entryPoint.definition.name);
  names.set('USER-IP-ADDRESS', clientAddress(request.incoming.socket.remoteAddress) ?? '');
  if (transaction !== undefined) {
    names.set('TRANSACTION-INTERNAL', transaction.name);
    names.set('TRANSACTION-EXTERNAL', transaction.externalName);
  }
  if (place.routingParameter !== undefined) names.set('ROUTING-PARAMETER', place.routingParameter);
  names.set('URL', request.target.path);
  names.set('QUERY', request.target.query);
  names.set('PAGE', place.page);
  names.set('PAGE-INTERNAL', place.page.toUpperCase());
  names.set('DIRECTORY', place.directory);
  names.set('CHARACTER-SET', 'UTF-8');
  names.set('DATE-TIME', localDateTime());
  names.set('SVC-VERSION', site.version);
  return names;
}

/** An IPv4 address also where it came in over IPv6 (`::ffff:192.0.2.1`). */
export function clientAddress(remoteAddress: string | undefined): string | undefined {
  return remoteAddress?.startsWith('::ffff:') === true && remoteAddress.includes('.')
    ? remoteAddress.slice('::ffff:'.length)
    : remoteAddress;
}

let dateTimeSecond = Number.NaN;
let dateTime = '';

/** YYYYMMDDHHMMSS by the local clock; made once a second. */
function localDateTime(): string {
  const now = Date.now();
  const second = Math.floor(now / 1_000);
  if (second !== dateTimeSecond) {
    dateTimeSecond = second;
    const date = new Date(now);
    const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
    dateTime = `${date.getFullYear()}${parts.map((part) => String(part).padStart(2, '0')).join('')}`;
  }
  return dateTime;
}
