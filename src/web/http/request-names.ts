import type { IncomingMessage } from 'node:http';
import type { SecurityUser } from '../../access/users/user-store.js';
import { prefixCodeOf } from '../../lib/network/node-code.js';
import type { EntryPoint } from '../../lines/entry-point/entry-point.js';
import { openTo, type Transaction } from '../../lines/entry-point/transaction.js';
import type { ItemNames } from '../../templates/render.js';
import { themes } from '../../terminal/settings/terminal-settings.js';
import { hasRole, roleNamed } from '../sign-on/site-security.js';
import { pageWords } from '../words/page-words.js';
import type { ClientRequest } from './client-request.js';
import type { ClientSite } from './client-site.js';
import { clientTurnOf, reachedAddress, senderAddress } from './request-sender.js';

const THEME_VARIABLE = '$THEME$';
/** Set for the theme with the user's own colours, which are stored only in the browser. */
const OWN_COLOURS_VARIABLE = '$OWN-COLOURS$';
/**
 * Set by the script of the terminal page, so that the server renders the page in the right theme before the script
 * runs. Not secret.
 */
const THEME_COOKIE = /(?:^|;)\s*sallyport-theme=([a-z\d-]{1,32})\s*(?:;|$)/;

function pageTheme({ headers }: IncomingMessage): (variable: string) => readonly string[] | undefined {
  return (variable) => {
    const name = variable.toUpperCase();
    if (name !== THEME_VARIABLE && name !== OWN_COLOURS_VARIABLE) return undefined;
    const said = THEME_COOKIE.exec(headers.cookie ?? '')?.[1];
    const theme = themes.find((known) => known === said && known !== 'system') ?? '';
    if (name === THEME_VARIABLE) return [theme];
    return theme === 'own' ? [theme] : undefined;
  };
}

interface RequestedPage {
  readonly page: string;
  readonly directory: string;
  readonly transaction: Transaction | undefined;
  readonly routingParameter: string | undefined;
  readonly user?: SecurityUser | undefined;
}

const PRODUCT = 'Sallyport';

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

/** Items of NAME-OF (reference 2.7) that the web layer provides, computed on demand. */
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
      const { host = reachedAddress(request.incoming), port } = address;
      return { host, port };
    },
  };
}

export function siteNames(site: ClientSite): ItemNames {
  return { get: (item) => siteItems.get(item)?.(site), prefixCode: prefixCodeOf(site.sessions.node) };
}

let dateTimeSecond = Number.NaN;
let dateTime = '';

/** YYYYMMDDHHMMSS in local time, cached for one second. */
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

/**
 * IF-USER-IS-ALLOWED-TO: the resource is a role, the internal name of a transaction or otherwise a group. Unknown
 * resources are denied.
 */
function isAllowedTo(resource: string, user: SecurityUser | undefined, { definition }: EntryPoint): boolean {
  const role = roleNamed(resource);
  if (role !== undefined) return user !== undefined && hasRole(user, role);
  const folded = resource.toUpperCase();
  const transaction = definition.transactions.find(({ name }) => name.toUpperCase() === folded);
  if (transaction !== undefined) {
    const open = openTo(transaction.security);
    return open === 'anybody' || (open === 'users' && user !== undefined);
  }
  return user?.groups.some((group) => group.toUpperCase() === folded) === true;
}
