import type { IncomingMessage } from 'node:http';
import { isNodeCode } from '../../lib/network/node-code.js';
import { cookieName, strictCookie, withdrawnCookie } from '../http/strict-cookie.js';

/** Of the server whose portal an operator looks at: any other one passes requests on to it. It ends with the browser. */
const NAME = 'Sallyport-Server';

/** Its code; undefined: none was chosen. */
export function chosenServer(incoming: IncomingMessage): string | undefined {
  const begin = `${cookieName(incoming, NAME)}=`;
  const sent = (incoming.headers.cookie ?? '').split(';').find((pair) => pair.trim().startsWith(begin));
  const code = sent?.trim().slice(begin.length) ?? '';
  return isNodeCode(code) ? code : undefined;
}

export function serverChoice(incoming: IncomingMessage, code: string): string {
  return strictCookie(incoming, NAME, code);
}

export function withdrawnChoice(incoming: IncomingMessage): string {
  return withdrawnCookie(incoming, NAME);
}
