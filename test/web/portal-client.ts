import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PortalSite } from '../support/portal-site.js';
import { SignOnClient, type SignOnReply } from '../support/sign-on-client.js';

export type Fields = Readonly<Record<string, string>>;

const entities: Fields = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The text of a page as its reader sees it. */
export function textOf(page: string): string {
  return page.replace(/<[^>]*>/g, ' ').replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? '');
}

/** A user of the portal without scripts. */
export class PortalClient {
  readonly #client: SignOnClient;
  #token = '';

  private constructor(readonly site: Pick<PortalSite, 'portalUrl'>) {
    this.#client = new SignOnClient(site.portalUrl);
  }

  static async signedOn(
    site: Pick<PortalSite, 'portalUrl'>,
    { name, password }: { readonly name: string; readonly password: string },
  ): Promise<PortalClient> {
    const client = new PortalClient(site);
    await client.#client.signOn('/', name, password);
    const { text } = await client.get('/');
    client.#token = /name="TOKEN" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return client;
  }

  get token(): string {
    return this.#token;
  }

  get cookie(): string {
    return this.#client.cookie;
  }

  get(path: string, headers: Fields = {}): Promise<SignOnReply> {
    return this.#client.request(path, { headers });
  }

  /** Sends a form as a page of the portal does. */
  post(path: string, fields: Fields, headers: Fields = {}): Promise<SignOnReply> {
    return this.#client.post(path, { TOKEN: this.#token, ...fields }, headers);
  }

  upload(path: string, file: string, fields: Fields = {}, headers: Fields = {}): Promise<SignOnReply> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ TOKEN: this.#token, ...fields })) body.set(name, value);
    body.set('file', new Blob([file], { type: 'application/octet-stream' }), 'anything.json');
    return this.#client.request(path, { method: 'POST', body, headers });
  }

  /** Sends the form that a page shows, with a password in both of its fields, as the page asks for it. */
  async postPassword(path: string, password: string, fields: Fields = {}, again = password): Promise<SignOnReply> {
    const { text } = await this.get(path);
    const code = /name="SIGNON-CODE" value="([^"]*)"/.exec(text)?.[1] ?? '';
    return this.post(path, { 'SIGNON-CODE': code, PASSWORD: password, 'PASSWORD-AGAIN': again, ...fields });
  }
}

export interface WrittenEntry {
  readonly who: string;
  readonly what: string;
  readonly subject: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

export function auditText({ folder }: PortalSite): string {
  return readFileSync(join(folder, 'data', 'audit.jsonl'), 'utf8');
}

/** The last entries of the audit trail, the oldest first. */
export function lastEntries(site: PortalSite, count: number): readonly WrittenEntry[] {
  const lines = auditText(site).trimEnd().split('\n');
  return lines.slice(-count).map((line) => JSON.parse(line) as WrittenEntry);
}
