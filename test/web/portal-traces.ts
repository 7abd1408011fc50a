import { expect } from 'chai';
import { ADMINISTRATOR, type PortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';

/** Traces as an administrator begins them in the portal. */
export class PortalTraces {
  readonly admin: SignOnClient;
  readonly token: string;

  private constructor(admin: SignOnClient, token: string) {
    this.admin = admin;
    this.token = token;
  }

  static async of({ portalUrl }: PortalSite): Promise<PortalTraces> {
    const admin = new SignOnClient(portalUrl);
    expect((await admin.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password)).status).to.equal(303);
    const [, token = ''] = /name="TOKEN" value="([^"]*)"/.exec((await admin.request('/traces')).text) ?? [];
    return new PortalTraces(admin, token);
  }

  /** @returns the address of the trace */
  async begin(kind: string, subject: string): Promise<string> {
    const wish = { TOKEN: this.token, KIND: kind, SUBJECT: subject, SECONDS: '600', KIBIBYTES: '4096' };
    const begun = await this.admin.post('/traces', wish);
    expect(begun.status, begun.text).to.equal(303);
    const name = kind === 'session' ? subject : `${kind}-${subject}`;
    const list = (await this.admin.request('/traces')).text;
    return new RegExp(`"(/traces/${name}-[^"/]+)/trace\\.txt"`).exec(list)?.[1] ?? '';
  }
}

/** As it is, in hex, and what base64 has of it wherever it stands in something longer. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : 4)
      .slice(0, 4 * Math.floor((bytes.length - 3) / 3)),
  );
  return [secret, bytes.toString('hex'), encodeURIComponent(secret), ...base64];
}
