import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { adminRoutes, portalRoutes } from '../../src/web/routes.js';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { SignOnClient } from '../support/sign-on-client.js';

const script = pathToFileURL(join(projectFolder, 'scripts', 'access-table.mjs')).href;
const { accessPage } = (await import(script)) as typeof import('../../scripts/access-table.mjs');

const API = '/api/admin/v1';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const scopes = ['operation', 'tracing'] as const;

/** Methods of the table, by path, with a name that nothing has in place of each variable. */
function methodsByPath(routes: readonly { readonly method: string; readonly path: string }[]) {
  const found = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const asked = path.replace(/:\w+/g, 'none-7');
    found.set(asked, [...(found.get(asked) ?? []), method]);
  }
  return found;
}

/** Paths that are shorter or longer than those of the table, or have another end, and the other paths that are given. */
function neighbours(routes: readonly { readonly path: string }[], others: Iterable<string>): readonly string[] {
  const near = routes.flatMap(({ path }) => {
    const parts = path.replace(/:\w+/g, 'none-7').split('/');
    return [parts.slice(0, -1).join('/'), [...parts, 'x-7'].join('/'), [...parts.slice(0, -1), 'x-7'].join('/')];
  });
  const known = routes.map(({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`));
  return [...new Set([...near, ...others])].filter(
    (path) => /^(\/[^/]+)+$/.test(path) && !known.some((one) => one.test(path)),
  );
}

describe('routes of portal lines', function () {
  this.timeout(120_000);
  let site: PortalSite;
  let administrator: SignOnClient;
  const tokens = new Map<string, string>();

  before(async () => {
    site = await startPortalSite({ crypts: '' });
    administrator = new SignOnClient(site.portalUrl);
    await administrator.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
    for (const scope of scopes) {
      const { stdout } = await sallyportInProcess(['token', 'add', `T-${scope}`, '--scope', scope], site);
      tokens.set(scope, stdout.trim());
    }
  });
  after(() => site?.stop());

  const askPortal = async (method: string, path: string) => {
    const { status, headers, text } = await administrator.request(path, {
      method,
      headers: { Accept: 'application/json' },
    });
    return { status, allow: headers.get('allow'), text };
  };

  const askApi = async (method: string, path: string, scope: string) => {
    const headers = { Authorization: `Bearer ${tokens.get(scope)}` };
    const response = await fetch(site.portalUrl + path, { method, headers });
    const { code, detail } = JSON.parse((await response.text()) || '{}');
    return { status: response.status, allow: response.headers.get('allow'), code, detail };
  };

  it('are in docs/run/access.md as `npm run access-table` writes it', () => {
    const page = readFileSync(join(projectFolder, 'docs', 'run', 'access.md'), 'utf8');
    expect(accessPage({ portalRoutes, adminRoutes })).to.equal(page);
    expect(accessPage({ portalRoutes: portalRoutes.slice(1), adminRoutes })).not.to.equal(page);
  });

  it('are unique', () => {
    const all = [...portalRoutes, ...adminRoutes].map(({ method, path }) => `${method} ${path}`);
    expect(new Set(all).size).to.equal(all.length);
    expect(all.length).to.be.greaterThan(120);
  });

  it('are served by the portal with the methods of the table, and with no others', async () => {
    for (const [path, known] of methodsByPath(portalRoutes)) {
      for (const method of methods) {
        if (known.includes(method)) continue;
        const { status, allow } = await askPortal(method, path);
        expect([status, allow], `${method} ${path}`).to.deep.equal([405, known.join(', ')]);
      }
    }
  });

  it('are served by the admin API with the methods of the table, and with no others', async () => {
    for (const [path, known] of methodsByPath(adminRoutes)) {
      for (const method of methods) {
        if (known.includes(method)) continue;
        const { status, allow } = await askApi(method, path, 'operation');
        expect([status, allow], `${method} ${path}`).to.deep.equal([405, known.join(', ')]);
      }
    }
  });

  it('accept tokens of their scope only', async () => {
    for (const { method, path, scope } of adminRoutes) {
      // these two need no name, so the first would end the server
      if (path.startsWith(`${API}/server/`)) continue;
      const asked = path.replace(/:\w+/g, 'none-7');
      for (const one of scopes) {
        const { status, code } = await askApi(method, asked, one);
        if (one === scope) expect(code, `${method} ${path}`).not.to.be.oneOf(['template-unknown', 'token-scope']);
        else expect([status, code], `${method} ${path}`).to.deep.equal([403, 'token-scope']);
      }
    }
  });

  it('start traces of the kind that their path names', async () => {
    const told = async (collection: string) => {
      const { code, detail } = await askApi('POST', `${API}/${collection}/none-7/trace`, 'tracing');
      return detail ?? code;
    };
    expect(await told('sessions')).to.equal('session-unknown');
    expect(await told('lines')).to.equal('There is no line "none-7".');
    expect(await told('scenarios')).to.equal('There is no scenario "none-7".');
    expect(await told('entry-points')).to.equal('There is no entry point "none-7".');
  });

  it('are the only paths of the portal', async () => {
    const withoutPrefix = adminRoutes.map(({ path }) => path.slice(API.length).replace(/:\w+/g, 'none-7'));
    for (const path of neighbours(portalRoutes, withoutPrefix)) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await askPortal(method, path);
        expect(status, `${method} ${path}: ${text.slice(0, 200)}`).to.equal(404);
      }
    }
  });

  it('are the only paths of the admin API', async () => {
    const ofPortal = [...methodsByPath(portalRoutes).keys()].map((path) => API + path);
    for (const path of neighbours(adminRoutes, ofPortal)) {
      if (!path.startsWith(API)) continue;
      for (const method of ['GET', 'POST']) {
        const { status, code } = await askApi(method, path, 'operation');
        expect([status, code], `${method} ${path}`).to.deep.equal([404, 'template-unknown']);
      }
    }
  });
});
