import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type ClientLine, openClientLine, staticPage } from './client-line.js';

const script = '// a script of a page\n'.repeat(100);

describe('files as they are, compressed', () => {
  let client: ClientLine;

  before(async () => {
    client = await openClientLine({
      pages: {
        'CLI-DIR/PAGE.JS': staticPage(script, 'text/javascript'),
        'CLI-DIR/SHORT.JS': staticPage('x'.repeat(1_023), 'text/javascript'),
        'CLI-DIR/LONG.JS': staticPage('x'.repeat(1_024), 'text/javascript'),
        'CLI-DIR/PICTURE.PNG': staticPage(script, 'image/png'),
      },
    });
  });

  after(() => client.line.stop(0));

  async function fetchFile(
    name: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ response: IncomingMessage; body: Buffer }> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${client.url}/${name}`, { headers }, resolve).on('error', reject);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { response, body: Buffer.concat(chunks) };
  }

  for (const accepted of ['gzip', 'br;q=0, gzip;q=0.5', '*, br;q=0', 'GZIP', 'deflate, gzip']) {
    it(`where the client says Accept-Encoding: ${accepted}`, async () => {
      const { response, body } = await fetchFile('PAGE.JS', { 'Accept-Encoding': accepted });
      expect(response.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', etag: '"v1-gzip"' });
      expect(response.headers['content-length']).to.equal(String(body.length));
      expect(body.length).to.be.lessThan(script.length);
      expect(gunzipSync(body).toString()).to.equal(script);
    });
  }

  for (const accepted of ['gzip, deflate, br, zstd', 'br', '*', 'BR;q=0.1, gzip', 'gzip;q=0, *']) {
    it(`with brotli where it says: ${accepted}`, async () => {
      const { response, body } = await fetchFile('PAGE.JS', { 'Accept-Encoding': accepted });
      expect(response.headers).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding', etag: '"v1-br"' });
      expect(response.headers['content-length']).to.equal(String(body.length));
      expect(brotliDecompressSync(body).toString()).to.equal(script);
    });
  }

  for (const accepted of ['', 'deflate', 'gzip;q=0', '*;q=0', 'gzip;q=0.0, br;q=0, *', 'identity']) {
    it(`but not where it says: ${accepted}`, async () => {
      const { response, body } = await fetchFile('PAGE.JS', { 'Accept-Encoding': accepted });
      expect(response.headers).to.include({ vary: 'Accept-Encoding', etag: '"v1"' });
      expect(response.headers).to.not.have.property('content-encoding');
      expect(body.toString()).to.equal(script);
    });
  }

  it('knows each by its own tag', async () => {
    const status = async (encoding: string, tag: string) => {
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': tag };
      return (await fetchFile('PAGE.JS', headers)).response.statusCode;
    };
    expect(await status('gzip', '"v1-gzip"')).to.equal(304);
    expect(await status('gzip', '"v1"')).to.equal(200);
    expect(await status('br', '"v1-br"')).to.equal(304);
    expect(await status('br', '"v1-gzip"')).to.equal(200);
    expect(await status('identity', '"v1"')).to.equal(304);
    expect(await status('identity', '"v1-gzip"')).to.equal(200);
  });

  it('not where it would save nothing: short files, pictures', async () => {
    const encoding = async (name: string) =>
      (await fetchFile(name, { 'Accept-Encoding': 'gzip' })).response.headers['content-encoding'];
    expect(await encoding('SHORT.JS')).to.equal(undefined);
    expect(await encoding('LONG.JS')).to.equal('gzip');
    expect(await encoding('PICTURE.PNG')).to.equal(undefined);
  });
});
