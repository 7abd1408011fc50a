import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pdfOf, preparePdf } from '../../src/printing/pdf-document.js';
import type { PrintedPage } from '../../src/tn3270/print/printed-page.js';
import { startSessionSite } from '../sessions/session-site.js';
import { needCommand, skipUnless } from '../support/need.js';
import { projectFolder } from '../support/project.js';

/** Debian's fonts-liberation; it has Greek. */
const FONT = '/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf';
const form = { paper: 'A4', orientation: 'portrait', columns: 80, lines: 66, marginMillimetres: 10 } as const;
const GREEK = '\u0395\u03bb\u03bb\u03ac\u03b4\u03b1';
const page: PrintedPage = [[{ column: 0, text: GREEK, style: 0 }]];

describe('a PDF', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pdf-'));
  const file = join(folder, 'printed.pdf');
  const noFont = join(folder, 'no-font.ttf');

  before(() => writeFileSync(noFont, 'no font'));
  after(() => rmSync(folder, { recursive: true }));

  async function printed(font?: string): Promise<{ readonly text: string; readonly fonts: string }> {
    const properties = { title: 'printed', printed: 0 };
    writeFileSync(file, await pdfOf([page], font === undefined ? form : { ...form, font }, properties));
    const text = execFileSync('pdftotext', [file, '-']).toString();
    return { text: text.trim(), fonts: execFileSync('pdffonts', [file]).toString() };
  }

  it('has the characters of the font that the form names, which is embedded', async function () {
    skipUnless(this, existsSync(FONT), `${FONT} is not there`);
    needCommand(this, 'pdffonts');
    const { text, fonts } = await printed(FONT);
    expect(text).to.equal(GREEK);
    // name, type, encoding, emb, sub, uni
    expect(fonts).to.match(/LiberationMono.*CID TrueType.*Identity-H +yes yes yes/);
  });

  it('has question marks for them in Courier, which is not embedded', async function () {
    needCommand(this, 'pdffonts');
    const { text, fonts } = await printed();
    expect(text).to.equal('??????');
    expect(fonts).to.match(/Courier +Type 1 +WinAnsi +no/);
  });

  it('is not begun with a packed font (WOFF2), which pdfkit embeds in part: a server with one says so at its start', async () => {
    const failed = await preparePdf({ ...form, font: join(projectFolder, 'public', 'terminal-font.woff2') }).then(
      () => 'it was taken',
      (error: Error) => error.message,
    );
    expect(failed).to.equal('letters with accents cannot be embedded: unpack a font in WOFF2 (woff2_decompress)');
  });

  it('is not made where the file is no font; a server with such a form does not start, and says why', async () => {
    const failed = await preparePdf({ ...form, font: noFont }).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    const printers = `DESK: { host: SIM, associate: true, form: { font: '${noFont}' } }`;
    const start = await startSessionSite({ printers }).catch((error: unknown) => error);
    expect(String(start)).to.include(`printer DESK: form.font ${noFont}: `);
  });
});
