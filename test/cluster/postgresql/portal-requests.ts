import { basic } from '../../support/sign-on-client.js';
import { ADMINISTRATOR } from './cluster-of-two.js';

const { name, password } = ADMINISTRATOR;
const headers = basic(name, password);

/** Saves macros for all users, which needs an entry in the audit trail and a new version. */
export function upload(portal: string, text: string): Promise<Response> {
  const form = new FormData();
  const body = JSON.stringify({ macros: [{ name: 'm', rev: 1, def: [{ txt: text }] }], fmt: 2 });
  form.append('file', new Blob([body], { type: 'application/json' }), 'macros.json');
  return fetch(`${portal}/SECURE/upload.txt+uplglb`, { method: 'POST', headers, body: form });
}

/** Reads what its user may do. */
export function ask(portal: string): Promise<Response> {
  return fetch(`${portal}/SECURE/capabilityCode.json+USRCAP?USER=${name}`, { headers });
}
