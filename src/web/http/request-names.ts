import type { SecurityUser } from '../../access/users/security-database.js';
import { prefixCodeOf } from '../../lib/network/node-code.js';
import type { Transaction } from '../../lines/entry-point/transaction.js';
import type { ItemNames } from '../../templates/sessionless-context.js';
import { pageTheme } from '../settings/page-theme.js';
import { isAllowedTo } from '../sign-on/resource-permission.js';
import { pageWords } from '../words/page-words.js';
import type { ClientRequest } from './client-request.js';
import type { ClientSite } from './client-site.js';
import { clientTurnOf, reachedAddress, senderAddress } from './request-sender.js';

/** What a request was found to lead to. */
interface RequestedPage {
  readonly page: string;
  readonly directory: string;
  readonly transaction: Transaction | undefined;
  /** What follows the transaction in the URL. */
  readonly routingParameter: string | undefined;
  /** Who has signed on. */
  readonly user?: SecurityUser | undefined;
}

/** As the Server header begins (specification 9.1). */
const PRODUCT = 'Sallyport';

/** Items that are the same for all requests of a line. */
const siteItems: ReadonlyMap<string, (site: ClientSite) => string | undefined> = new Map([
  ['CHARACTER-SET', () => 'UTF-8'],
  ['DEMO-CURRENCY-SERVICE', ({ demoCurrencyService }: ClientSite) => demoCurrencyService],
  ['ENTRY-POINT', ({ entryPoint }: ClientSite) => entryPoint.definition.name],
  ['LINE-EXTERNAL', ({ line }: ClientSite) => line.externalName],
  ['LINE-INTERNAL', ({ line }: ClientSite) => line.name],
  ['SVC', () => PRODUCT],
  ['SVC-VERSION', ({ version }: ClientSite) => version],
]);

type ItemOf = (site: ClientSite, request: ClientRequest, requested: RequestedPage) => string | undefined;

const items: ReadonlyMap<string, ItemOf> = new Map<string, ItemOf>([
  ['DATE-TIME', () => localDateTime()],
  ['DIRECTORY', (_site, _request, { directory }) => directory],
  ['GROUP', (_site, _request, { user }) => user?.groups[0]],
  ['PAGE', (_site, _request, { page }) => page],
  ['PAGE-INTERNAL', (_site, _request, { page }) => page.toUpperCase()],
  ['QUERY', (_site, { target }) => target.query],
  ['ROUTING-PARAMETER', (_site, _request, { routingParameter }) => routingParameter],
  ['TRANSACTION-EXTERNAL', (_site, _request, { transaction }) => transaction?.externalName],
  ['TRANSACTION-INTERNAL', (_site, _request, { transaction }) => transaction?.name],
  ['URL', (_site, { target }) => target.path],
  ['USER', (_site, _request, { user }) => user?.name],
  ['USER-IP-ADDRESS', (_site, { incoming }) => senderAddress(incoming)],
]);

/** The items of NAME-OF (reference 2.7) that the edge knows, and its like, each looked up when it is asked for. */
export function requestNames(site: ClientSite, request: ClientRequest, requested: RequestedPage): ItemNames {
  const words = pageWords(request.incoming);
  const theme = pageTheme(request.incoming);
  return {
    get: (item) => siteItems.get(item)?.(site) ?? items.get(item)?.(site, request, requested),
    client: clientTurnOf(request.incoming),
    prefixCode: prefixCodeOf(site.sessions.node),
    wordsOf: (variable) => words(variable) ?? theme(variable),
    isUserAllowedTo: (resource) => isAllowedTo(resource, requested.user, site.entryPoint),
    addressOfLine: (line) => {
      const address = site.addressOfLine(line);
      if (address === undefined) return undefined;
      // of a line that listens everywhere the address that this client has reached
      const { host = reachedAddress(request.incoming), port } = address;
      return { host, port };
    },
  };
}

/** Those of them that nobody needs a request for. */
export function siteNames(site: ClientSite): ItemNames {
  return { get: (item) => siteItems.get(item)?.(site), prefixCode: prefixCodeOf(site.sessions.node) };
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
