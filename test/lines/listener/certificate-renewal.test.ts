import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { makeCertificate, makeCertificateThatEnds, makeEndedCertificate } from '../../support/certificate.js';
import { eventually } from '../../support/eventually.js';
import { portOf } from './definition.js';
import { openedLines } from './opened-lines.js';
import { recordingLog } from './recording-log.js';

const HOUR = 3_600_000;

describe('renewal of a certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-renewal-'));
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const [first, second] = [makeCertificate(), makeCertificate()];
  const ended = makeEndedCertificate();
  const { open } = openedLines();
  const place = (from: { readonly cert: string; readonly key: string }) => {
    copyFileSync(from.cert, tls.cert);
    copyFileSync(from.key, tls.key);
  };
  const fingerprint = (file: string) => new X509Certificate(readFileSync(file)).fingerprint256;

  after(() => rmSync(folder, { recursive: true }));

  /** What new connections are shown. */
  function shown(url: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: portOf(url), host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  it('is shown to new connections; the open ones go on, and what cannot be used changes nothing', async () => {
    place(first);
    const recorded = recordingLog();
    const line = await open({ tls }, undefined, recorded.log);
    expect(await shown(line.url)).to.equal(fingerprint(first.cert));
    const kept = connect({ port: portOf(line.url), host: '127.0.0.1', rejectUnauthorized: false });
    await new Promise((resolve) => kept.once('secureConnect', resolve));

    place(second);
    await eventually(async () => ((await shown(line.url)) === fingerprint(second.cert) ? true : undefined));
    expect(line.certificate).to.deep.equal({
      expires: Date.parse(new X509Certificate(readFileSync(second.cert)).validTo),
      fault: undefined,
      endsSoon: undefined,
    });
    let text = '';
    kept.on('data', (chunk) => {
      text += chunk;
    });
    kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => (text.includes('hello') ? true : undefined));
    kept.destroy();

    // the key of another one
    copyFileSync(first.key, tls.key);
    await eventually(() => line.certificate?.fault);
    expect(line.certificate?.fault).to.include('cannot be used');
    expect(await shown(line.url)).to.equal(fingerprint(second.cert));
    writeFileSync(tls.cert, 'no certificate');
    await eventually(() => (line.certificate?.fault?.includes('certificate') ? true : undefined));
    expect(await shown(line.url)).to.equal(fingerprint(second.cert));
    expect(recorded.texts.join('\n')).to.include('the new certificate cannot be used');

    place(first);
    await eventually(async () => ((await shown(line.url)) === fingerprint(first.cert) ? true : undefined));
    expect(line.certificate?.fault).to.equal(undefined);

    // one that has ended takes the place of no good one
    place(ended);
    await eventually(() => (line.certificate?.fault?.includes('expired on') ? true : undefined));
    expect(await shown(line.url)).to.equal(fingerprint(first.cert));
  });

  it('that ends within 24 hours is an error of health and log, once an hour until it is renewed', async () => {
    const soon = makeCertificateThatEnds(Date.now() + HOUR);
    place(soon);
    const recorded = recordingLog();
    const told = () => recorded.lines.filter(({ msg }) => msg === 'renew the certificate of the line');
    const real = performance.now.bind(performance);
    let ahead = 0;
    performance.now = () => real() + ahead;
    try {
      const line = await open({ tls }, undefined, recorded.log);
      const words =
        /^the certificate expires on \d{4}-\d\d-\d\dT[\d:.]+Z, within 24 hours: replace it with a renewed one$/;
      expect(line.certificate?.endsSoon).to.match(words);
      expect(line.certificate?.fault, 'it is good').to.equal(undefined);
      const [first] = await eventually(() => (told().length > 0 ? told() : undefined));
      expect(first).to.include({ level: 50 });
      expect(first?.reason).to.match(words);
      ahead = HOUR;
      await eventually(() => (told().length === 2 ? true : undefined));
      place(second);
      await eventually(async () => ((await shown(line.url)) === fingerprint(second.cert) ? true : undefined));
      expect(line.certificate?.endsSoon).to.equal(undefined);
      expect(told()).to.have.length(2);
    } finally {
      performance.now = real;
    }
  });

  it('is no error while it counts for more than 24 hours', async () => {
    const line = await open({ tls: makeCertificateThatEnds(Date.now() + 24 * HOUR + 600_000) });
    expect(line.certificate?.endsSoon).to.equal(undefined);
    const within = await open({ tls: makeCertificateThatEnds(Date.now() + 24 * HOUR - 1_000) });
    expect(within.certificate?.endsSoon).to.include('within 24 hours');
  });

  it('that has ended is told, and the line goes on for whoever takes it', async () => {
    const line = await open({ tls: ended });
    expect(line.certificate?.fault).to.match(
      /^the certificate expired on \d{4}-\d\d-\d\dT[\d:.]+Z: browsers reject it$/,
    );
    expect(await shown(line.url)).to.equal(fingerprint(ended.cert));
  });
});
