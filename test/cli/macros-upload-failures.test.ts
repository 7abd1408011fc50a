import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type http from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCertificate } from '../support/certificate.js';
import { needCommand } from '../support/need.js';
import { writeMacroFiles } from './macro-folders.js';
import { PortalOfTheSpecification } from './portal-of-the-specification.js';
import { administrator, uploads } from './uploads.js';

describe('sallyport macros upload, where something is wrong', () => {
  const here = uploads();
  const { serve, upload, places } = here;

  describe('failures', () => {
    const four = async () => {
      await writeMacroFiles(here.folder, ['usergroup', 'user']);
      await writeFile(join(here.folder, 'users.txt'), 'SALES ANNA\nNOGROUP NOUSER\nSALES BERT\n');
    };
    const list = (address: string, ...options: string[]) =>
      upload([...options, '--list', 'users.txt', 'N', address, 'usergroup', 'user', administrator]);

    it('sums up what was refused, with its reason, and does the rest', async () => {
      const address = await serve({
        instead: (request, response) => {
          if (!request.url?.includes(`uplusr+x-Svc-user-Directory:${PortalOfTheSpecification.keyOf('ANNA')}`))
            return false;
          response.writeHead(422, { 'Content-Type': 'text/plain' });
          response.end(
            'RETURN CODE IS: 12\r\n120000 MESSAGE RECEIVED\r\n120000 macros[0].def: expected a list\u001b[31m\r\n',
          );
          return true;
        },
      });
      await four();
      const { code, stdout, stderr } = await list(address);
      expect(stdout).to.equal('Upload ended: 2 uploaded, 3 failed. Details: output.txt\n');
      expect(stderr.split('\n').slice(5)).to.deep.equal([
        '3 failures:',
        '  user ANNA: HTTP 422, RETURN CODE IS: 12: macros[0].def: expected a list\\u001b[31m',
        '  group NOGROUP: HTTP 404: There is no such group.',
        '  user NOUSER: HTTP 404: There is no such user.',
        '',
      ]);
      expect(code).to.equal(1);
      expect(places()).to.deep.equal(['group SALES: usergroup', 'user BERT: user']);
    });

    it('stops at a wrong password: one request, not one for each user', async () => {
      const address = await serve({ password: 'another' });
      await four();
      const { code, stdout, stderr } = await list(address);
      expect(stdout).to.contain('Upload ended: 0 uploaded, 1 failed, 4 not tried.');
      expect(stderr).to.contain('  group SALES: wrong user ID or password (HTTP 401)\n');
      expect(code).to.equal(1);
      expect(here.portal.requests).to.have.length(1);
    });

    const refusals: readonly [string, number, http.OutgoingHttpHeaders, string, RegExp, number][] = [
      [
        'who is no administrator',
        403,
        {},
        'RETURN CODE IS: 08\r\nNOT AUTHORIZED',
        /ADMIN is not permitted to do this: HTTP 403/,
        1,
      ],
      ['after too many failures', 429, { 'Retry-After': '61' }, '', /rejects sign-ons .* in 61 s \(HTTP 429\)/, 1],
      ['without a time to wait', 429, {}, '', /rejects sign-ons from this address; try again later/, 1],
      [
        'where macros are not configured',
        404,
        { 'Content-Type': 'text/plain' },
        'RETURN CODE IS: 08\r\nMACRO DIRECTORIES ARE NOT CONFIGURED',
        /HTTP 404, RETURN CODE IS: 08: MACRO DIRECTORIES ARE NOT CONFIGURED/,
        1,
      ],
      ['by a redirect', 302, { Location: 'http://127.0.0.1:9/' }, '', /HTTP 302 \(a redirect is not followed\)/, 1],
      ['by a page', 500, { 'Content-Type': 'text/html' }, '<h1>500</h1><p>Our fault', /HTTP 500: 500 Our fault/, 1],
      ['by a reply without a key', 200, {}, '{}', /the reply contains no x-Svc-group-Directory/, 1],
      [
        'by a key that is none',
        200,
        { 'x-svc-group-directory': 'a/../b?c' },
        '',
        /x-Svc-group-Directory .* not a valid key/,
        1,
      ],
      ['by a reply of 64 KiB and one byte', 200, {}, 'x'.repeat(65537), /the reply is longer than 65536 bytes/, 1],
    ];
    for (const [title, status, headers, text, words, expected] of refusals) {
      it(`says why an upload was refused ${title}`, async () => {
        const address = await serve({
          instead: (_request, response) => {
            response.writeHead(status, headers).end(text);
            return true;
          },
        });
        await writeMacroFiles(here.folder, ['usergroup', 'user']);
        const { code, stderr } = await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator]);
        expect(stderr)
          .to.match(/^group SALES: failed: /)
          .and.to.match(words);
        expect(code).to.equal(expected);
      });
    }

    it('waits as long as Retry-After says, once', async () => {
      let refused = false;
      const address = await serve({
        instead: (_request, response) => {
          if (refused) return false;
          refused = true;
          response.writeHead(429, { 'Retry-After': '1' }).end();
          return true;
        },
      });
      await writeMacroFiles(here.folder, ['usergroup', 'user']);
      const { code, stderr } = await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator]);
      expect(stderr).to.equal('the server asks to wait for 1 s: waiting\n');
      expect(code).to.equal(0);
    });

    it('reads a reply of 64 KiB, and takes no success without a return code', async () => {
      const address = await serve({
        instead: (request, response) => {
          if (request.method === 'POST') response.end(request.url?.includes('+uplgrp') ? 'fine' : reply);
          return request.method === 'POST';
        },
      });
      const reply = 'RETURN CODE IS: 00\r\n'.padEnd(65536, 'x');
      await writeMacroFiles(here.folder, ['usergroup', 'user']);
      const { stdout, stderr } = await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator]);
      expect(stderr).to.equal('group SALES: failed: the reply contains no RETURN CODE\n');
      expect(stdout).to.equal('user ANNA: uploaded\n');
    });

    it('says that nothing listens, and stops', async () => {
      const address = await serve();
      await here.portal.stop();
      await four();
      const { code, stderr } = await list(address);
      expect(stderr).to.contain(`group SALES: ${address} refuses the connection: is the portal line up?`);
      expect(code).to.equal(1);
    });

    it('gives up after --timeout, and goes on', async () => {
      const address = await serve({ instead: (request) => request.url?.includes('GROUP=') === true });
      await writeMacroFiles(here.folder, ['usergroup', 'user']);
      const { code, stdout, stderr } = await upload([
        ...['--timeout', '0.4', 'SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator],
      ]);
      expect(stderr).to.equal('group SALES: failed: no answer within 0.4 s (--timeout)\n');
      expect(stdout).to.equal('user ANNA: uploaded\n');
      expect(code).to.equal(1);
    });

    const files: readonly [string, string | undefined, RegExp][] = [
      ['is missing', undefined, /cannot be read: no such file/],
      ['is no JSON', '{"macros":', /it is not JSON/],
      ['has no macros', '{"macro":[]}', /it has no list "macros"/],
      ['has more than 1 MiB', `{"macros":[]}${' '.repeat(1024 * 1024 - 12)}`, /it has more than 1048576 bytes/],
    ];
    for (const [title, text, words] of files) {
      it(`sends nothing of a file that ${title}, and the others`, async () => {
        const address = await serve();
        await writeMacroFiles(here.folder, ['user']);
        await mkdir(join(here.folder, 'usergroup'));
        if (text !== undefined) await writeFile(join(here.folder, 'usergroup', 'macros.json'), text);
        const { code, stderr } = await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator]);
        expect(stderr)
          .to.match(/^group SALES: failed: .*macros\.json: /)
          .and.to.match(words);
        expect(code).to.equal(1);
        expect(places()).to.deep.equal(['user ANNA: user']);
      });
    }

    it('sends a file of 1 MiB', async () => {
      const address = await serve();
      await writeMacroFiles(here.folder, ['usergroup', 'user']);
      await writeFile(join(here.folder, 'user', 'macros.json'), '{"macros":[]}'.padEnd(1024 * 1024));
      const { code } = await upload(['SALES', 'ANNA', 'N', address, 'usergroup', 'user', administrator]);
      expect(code).to.equal(0);
      expect(here.portal.arrivals[1]?.content.length).to.equal(1024 * 1024);
    });

    it('asks for no password where no file can be sent', async () => {
      const { code, stderr } = await upload(['SALES', 'ANNA', 'N', '127.0.0.1:9', 'usergroup', 'user'], '');
      expect(stderr.match(/no such file/g)).to.have.length(2);
      expect(code).to.equal(1);
      expect(existsSync(join(here.folder, 'output.txt'))).to.equal(false);
    });
  });

  it('speaks TLS where the server is https://, to whom --ca vouches for', async function () {
    needCommand(this, 'openssl');
    const files = makeCertificate();
    await serve({ tls: { key: readFileSync(files.key), cert: readFileSync(files.cert) } });
    await writeMacroFiles(here.folder, ['usergroup', 'user']);
    const call = ['SALES', 'ANNA', 'N', `https://localhost:${here.portal.port}`, 'usergroup', 'user', administrator];
    const refused = await upload(call);
    expect(refused.stderr).to.match(
      /^group SALES: failed: The certificate of localhost is not trusted .* --ca FILE\.\n$/,
    );
    expect(refused.code).to.equal(1);
    expect((await upload(['--ca', files.cert, ...call])).code).to.equal(0);
    const plain = await upload(['SALES', 'ANNA', 'N', here.portal.address, 'usergroup', 'user', administrator]);
    expect(plain.code).to.not.equal(0);
  });
});
