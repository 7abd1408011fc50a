import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { projectFolder } from '../../support/project.js';
import { ServiceSite } from './service-site.js';

const generator = join(projectFolder, 'node_modules', 'openapi-typescript-codegen', 'bin', 'index.js');

/** What the generator makes of our document, as far as this file calls it. */
interface GeneratedClient {
  readonly OpenAPI: { BASE: string; TOKEN: string };
  readonly ServicesService: Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>;
  readonly SessionsService: {
    beginSession(body: { transaction: string }): Promise<{ readonly handle: string }>;
    showScreen(handle: string): Promise<{ readonly text: readonly string[] }>;
    endSession(handle: string): Promise<void>;
  };
}

describe('a client made by a generator', () => {
  let site: ServiceSite;
  let folder: string;
  let client: GeneratedClient;

  before(async function () {
    this.timeout(60_000);
    site = await ServiceSite.open();
    folder = mkdtempSync(join(tmpdir(), 'sallyport-generated-'));
    const token = await site.token('services', 'sessions');
    const { text } = await site.request('/api/v1/openapi.json', { token });
    writeFileSync(join(folder, 'openapi.json'), text);
    const words = ['--input', join(folder, 'openapi.json'), '--output', join(folder, 'client'), '--client', 'fetch'];
    await promisify(execFile)(process.execPath, [generator, ...words]);
    const outfile = join(folder, 'client.mjs');
    await build({
      entryPoints: [join(folder, 'client', 'index.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
    });
    client = (await import(pathToFileURL(outfile).href)) as GeneratedClient;
    client.OpenAPI.BASE = site.url;
    client.OpenAPI.TOKEN = token;
  });
  after(async () => {
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  it('calls every shipped service as it was made', async () => {
    const calls: Readonly<Record<string, readonly unknown[]>> = {
      accountInquiry: [{ account: '10000002' }],
      accountUpdate: [{ account: '10000002', limit: '12.00' }, 'a-key'],
      memberList: [],
    };
    const shipped = readdirSync(join(projectFolder, 'templates', 'services')).filter((name) =>
      /^(?!screens|sign-)/.test(name),
    );
    expect(Object.getOwnPropertyNames(client.ServicesService)).to.include.members(Object.keys(calls));
    expect(Object.keys(calls)).to.have.length(shipped.length);
    const call = (name: string) => client.ServicesService[name]?.(...(calls[name] ?? []));
    expect(await call('accountInquiry')).to.deep.equal({ name: 'GRACE HOPPER', balance: '984.10' });
    expect(await call('accountUpdate')).to.deep.equal({ name: 'GRACE HOPPER', limit: '12.00' });
    expect(await call('memberList')).to.have.property('members');
  });

  it('is told what is wrong as a problem', async () => {
    const wrong = await client.ServicesService.accountInquiry?.({ account: '1' }).catch((error: unknown) => error);
    expect(wrong).to.deep.include({ status: 422 });
  });

  it('has sessions of its own', async () => {
    const { handle } = await client.SessionsService.beginSession({ transaction: 'TSO' });
    expect((await client.SessionsService.showScreen(handle)).text[0]).to.include('SIGNON');
    await client.SessionsService.endSession(handle);
  });
});
