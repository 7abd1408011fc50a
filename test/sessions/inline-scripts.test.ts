import { get } from 'node:http';
import { expect } from 'chai';
import { siteInBrowser } from '../browser/site-in-browser.js';
import { startSessionSite, usualTransactions } from './session-site.js';

const head = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>T</title><!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/html"}}}{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}<link rel="icon" href="data:,">`;

const SCRIPTED = `${head}
<script>\r
document.documentElement.dataset.modulus = "{{{PUBLIC-KEY (MODULUS) "CRYPT3270"}}}";\r
document.documentElement.dataset.parameters = [{{{ENCRYPTION-PARAMETERS "CRYPT3270"}}}].join('|');\r
</script>
<script>document.documentElement.dataset.fixed = 'ü & <p>';</script>
<script>document.documentElement.dataset.valued = "{{{SET-LOCAL-OPTIONS (JAVASCRIPT-ESCAPES)}}}{{{NAME-OF (QUERY)}}}";</script>
</head><body>{{{SET-LOCAL-OPTIONS (NO-ESCAPES)}}}{{{NAME-OF (QUERY)}}}</body></html>
`;

/** A script that somebody puts into the page by its address, which this page inserts as it is. */
const INJECTED = '<script>document.documentElement.dataset.injected="yes"</script>';

describe('inline scripts of session pages, in Chromium', () => {
  const here = siteInBrowser(() =>
    startSessionSite({
      transactions: `${usualTransactions}
      OWN: { applicationType: 1, application: SIM, contentSecurityPolicy: "script-src 'self'" }`,
      furtherPages: {
        'SCRIPTED.HTML': SCRIPTED,
        'OWNPOLICY.HTML': `{{{SET-HEADER (AS-IS) "Content-Security-Policy: script-src 'self'"}}}`.replace(
          /^/,
          SCRIPTED,
        ),
      },
    }),
  );

  /** The answer as it is on the wire: a browser would encode the address. */
  function answerTo(path: string): Promise<{ policy: string; headers: Record<string, string>; body: string }> {
    return new Promise((resolve, reject) => {
      get(here.site.url, { path }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => (body += text));
        response.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(response.headers).filter(([name]) => name !== 'set-cookie' && name !== 'content-length'),
          ) as Record<string, string>;
          resolve({ policy: headers['content-security-policy'] ?? '', headers, body });
        });
      }).on('error', reject);
    });
  }

  /** What the scripts of an answer leave behind. */
  async function tracesOf({ headers, body }: { readonly headers: Record<string, string>; readonly body: string }) {
    const page = await here.browser.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.route('**/SHOWN.HTML', (route) => route.fulfill({ headers, body }));
    await page.goto(`${here.site.url}/SHOWN.HTML`);
    const traces = await page.evaluate<Record<string, string>>('({ ...document.documentElement.dataset })');
    await page.close();
    return { traces, refused };
  }

  it('run with the keys that the file inserts, and no other script runs', async () => {
    const answer = await answerTo(`/SCRIPTED.HTML+TSO?${INJECTED}`);
    expect(answer.body).to.include(INJECTED);
    const { traces, refused } = await tracesOf(answer);
    const { modulus, ...others } = traces;
    expect(modulus).to.match(/^[0-9A-Fa-f]{256}$/);
    expect(others).to.deep.equal({ parameters: 'CRYPT3270|3TDEA|RSA-1024|NODE|HEX|CBC|PKCS7', fixed: 'ü & <p>' });
    // the one with a value, and the injected one
    expect(refused.filter((text) => text.includes('Content Security Policy'))).to.have.lengthOf(2);
    expect(answer.policy.match(/'sha256-[A-Za-z0-9+/]{43}='/g)).to.have.lengthOf(2);
    expect(answer.policy).to.match(/^default-src 'none'; script-src 'self' 'sha256-[^;]*'; style-src 'self';/);
  });

  it('add nothing to the policy of a transaction or of a template', async () => {
    for (const path of ['/SCRIPTED.HTML+OWN', '/OWNPOLICY.HTML+TSO']) {
      const answer = await answerTo(path);
      expect(answer.policy, path).to.equal("script-src 'self'");
      expect((await tracesOf(answer)).traces, path).to.deep.equal({});
    }
  });
});
