import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';

const SCREEN =
  '<!--SVC start="{{{" end="}}}" --><p>{{{AJAX-SESSION-CODE}}} {{{NAME-OF (PRINT-RELAY)}}} {{{IF-PRINT-IS-READY waits}}}</p>';
const PRINT = '<!--SVC start="{{{" end="}}}" --><pre>{{{PRINT (0)}}}</pre>';
const LAID_OUT = `<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/plain"}}}{{{PDF-LINES-PER-PAGE "60"}}}COVER <b>&amp;{{{PDF-PAGE-BREAK}}}{{{PRINT (0)}}}{{{PDF-PAGE-BREAK}}}END{{{PDF-LINES-PER-PAGE (3)}}}`;
/** Layout 1 stands behind the letters of options 1; options 2 have a line a page, and no layout stands behind those. */
const LETTERS = `<!--SVC start="{{{" end="}}}" -->
{{{SET-CONTENT-TYPE "text/plain"}}}{{{PDF-LINES-PER-PAGE "4"}}}not of the letter
{{{PDF-NEW-DOCOPT "1"}}}{{{PDF-LINES-PER-PAGE "3"}}}neither is this
{{{PDF-NEW-DOCOPT "2"}}}{{{PDF-LINES-PER-PAGE "1"}}}
{{{PDF-NEW-LAYOUT "1"}}}
                                        LETTERHEAD of {{{NAME-OF (PAGE-INTERNAL)}}}
{{{PDF-NEW-LAYOUT "2"}}}
{{{PDF-NEW-INPUT}}}
{{{PDF-USE-DOCOPT "1"}}}{{{PDF-USE-LAYOUT "1"}}}

{{{PDF-OUTLINE}}}Chapter one
text one
second sheet
{{{PDF-NEW-INPUT}}}{{{PDF-USE-DOCOPT "2"}}}{{{PDF-USE-LAYOUT "2"}}}
line a
{{{PDF-OUTLINE}}}Chapter <two>
{{{PDF-OUTLINE}}}
{{{PDF-PAGE-BREAK}}}last`;
const marked = (times: number) =>
  `<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/plain"}}}${'{{{PDF-OUTLINE}}}x\n'.repeat(times)}`;
const long = (pages: number) =>
  `<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/plain"}}}{{{PDF-LINES-PER-PAGE "1"}}}${'x\n'.repeat(pages)}`;
const FORM = `<!--SVC start="{{{" end="}}}" -->{{{DEFINE-HTML-PFKEY "pf"}}}{{{GENERATE-HTML (1,1,1920)}}}`;

/** What the demo's statement of account 10000002 has on its first page. */
const HEADING = 'SALLYPORT SAVINGS BANK';

describe('printed documents of a session', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      printers: `DESK: { host: MENU, associate: true }\n  FEW: { host: MENU, associate: true, spool: { documents: 5 } }`,
      transactions: [
        'MENU: { applicationType: 1, application: MENU, printer: DESK }',
        'PLAIN: { applicationType: 1, application: MENU }',
        'FEW: { applicationType: 1, application: MENU, printer: FEW }',
      ].join('\n      '),
      furtherPages: {
        'LAID-OUT.LST': LAID_OUT,
        'LETTERS.LST': LETTERS,
        'MARKED.LST': marked(2_000),
        'MARKED-MORE.LST': marked(2_001),
        'BROKEN.LST': `${long(0)}${'{{{PDF-PAGE-BREAK}}}'.repeat(2_000)}`,
        'LONG.LST': long(2_001),
        'MOST.LST': long(2_000),
        'SCREEN.HTML': SCREEN,
        'PRINT.HTML': PRINT,
        'FORM.HTML': FORM,
      },
    });
  });

  after(() => site.stop());

  interface Session {
    readonly cookie: string;
    readonly code: string;
  }

  async function begin(transaction: string): Promise<Session> {
    const response = await fetch(`${site.url}/SCREEN.HTML+${transaction}`);
    const page = await response.text();
    const code = /SvcSession=([\w-]+)/.exec(page)?.[1] ?? '';
    return {
      code,
      cookie: response.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; '),
    };
  }

  const get = ({ code, cookie }: Session, page: string, prefix = '', accept = '*/*') =>
    fetch(`${site.url}/w2h/${page.split('?')[0]}++${prefix}SvcSession=${code}${/\?.*/.exec(page)?.[0] ?? ''}`, {
      headers: { Cookie: cookie, Accept: accept },
    });

  async function post(session: Session, key: string, values: readonly string[]): Promise<string> {
    const screen = await (await get(session, 'FORM.HTML')).text();
    const fields = [...screen.matchAll(/name="(V[0-9A-F]{7})"/gi)].map(([, name]) => name ?? '');
    const body = new URLSearchParams({ pf: key });
    for (const [at, value] of values.entries()) body.set(fields[at] ?? '', value);
    const response = await fetch(`${site.url}/w2h/FORM.HTML++SvcSession=${session.code}`, {
      method: 'POST',
      body,
      headers: { Cookie: session.cookie },
    });
    return response.text();
  }

  async function printStatement(session: Session, stream: 'S' | '3'): Promise<void> {
    await eventually(async () =>
      (await (await get(session, 'SCREEN.HTML')).text()).includes('PIM') ? true : undefined,
    );
    await post(session, 'ENTER', ['P']);
    const shown = await post(session, 'ENTER', ['10000002', '', stream]);
    expect(shown, shown.slice(-400)).to.include('was printed');
    await post(session, 'PF3', []);
  }

  it('are listed with how full the spool is of documents that nobody has opened', async () => {
    const session = await begin('FEW');
    const spool = async () =>
      ((await (await get(session, 'x', 'Print', 'application/json')).json()) as { spool: unknown }).spool;
    const told: unknown[] = [await spool()];
    for (let printed = 0; printed < 5; printed++) {
      await printStatement(session, 'S');
      told.push(await spool());
    }
    expect(told).to.deep.equal([
      { percent: 0, isNearlyFull: false },
      { percent: 20, isNearlyFull: false },
      { percent: 40, isNearlyFull: false },
      { percent: 60, isNearlyFull: false },
      { percent: 80, isNearlyFull: true },
      { percent: 100, isNearlyFull: true },
    ]);
    expect((await get(session, 'x.txt', 'Print')).status).to.equal(200);
    expect(await spool()).to.deep.equal({ percent: 80, isNearlyFull: true });
  });

  it('are there once the host has printed them, as text, in a page and as PDF; waiting until they were opened', async function () {
    const session = await begin('MENU');
    expect((await get(session, 'x.txt', 'Print')).status).to.equal(404);
    await printStatement(session, 'S');
    expect(await (await get(session, 'SCREEN.HTML')).text()).to.match(/PIM\d{5} waits/);
    const list = (await (await get(session, 'x', 'Print', 'application/json')).json()) as {
      documents: { number: number; pages: number; isNew: boolean }[];
    };
    expect(list.documents.map(({ number, pages, isNew }) => [number, pages, isNew])).to.deep.equal([[1, 2, true]]);
    const text = await get(session, 'statement.txt', 'Print');
    expect(text.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(text.headers.get('cache-control')).to.equal('no-store');
    const lines = (await text.text()).split('\n');
    expect(lines[0]).to.equal(HEADING);
    expect(lines).to.include('Balance                                                  984.10 USD');
    expect(lines.filter((line) => line.startsWith('\f'))).to.deep.equal(['\fBookings of account 10000002']);
    expect(await (await get(session, 'SCREEN.HTML')).text()).not.to.include('waits');
    expect(await (await get(session, 'PRINT.HTML', 'Print')).text()).to.include(`<pre>${HEADING}\n`);
    const pdf = await get(session, 'statement.pdf?document=1', 'Print');
    expect(pdf.headers.get('content-type')).to.equal('application/pdf');
    expect(pdf.headers.get('content-disposition')).to.match(/^inline; filename="DESK-\d{8}-\d{6}-1\.pdf"/);
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-');
    needCommand(this, 'pdftotext');
    const read = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes }).toString();
    for (const words of [HEADING, 'GRACE HOPPER', '984.10 USD', 'Bookings of account 10000002'])
      expect(read).to.include(words);
  });

  it('are a PDF in a page that says how it is laid out: lines of a page, page breaks, and nothing as markup', async function () {
    needCommand(this, 'pdftotext');
    const session = await begin('MENU');
    await printStatement(session, 'S');
    const laidOut = await get(session, 'LAID-OUT.LST', 'Print');
    expect(laidOut.headers.get('content-type')).to.equal('application/pdf');
    const input = Buffer.from(await laidOut.arrayBuffer());
    const read = execFileSync('pdftotext', ['-layout', '-', '-'], { input }).toString();
    const pages = read.split('\f').map((page) =>
      page
        .trim()
        .split('\n')
        .filter((line) => line.trim() !== ''),
    );
    // a cover, then 3 lines a page: 8 lines of the account, and 7 of its bookings behind a form feed; a blank line is one
    expect(pages[0]).to.deep.equal(['COVER <b>&amp;']);
    expect(pages[1]?.[0]).to.equal(HEADING);
    expect(pages.map((lines) => lines.length)).to.deep.equal([1, 3, 2, 2, 2, 3, 1, 1, 0]);
    expect(read).to.include('Bookings of account 10000002');
    expect((await get(session, 'LONG.LST', 'Print')).status).to.equal(500);
    expect(site.log()).to.include('the PDF has more than 2000 pages');
    expect((await get(session, 'MOST.LST', 'Print')).headers.get('content-type')).to.equal('application/pdf');
    // without a document it is a page like any other
    expect((await get(session, 'LAID-OUT.LST')).headers.get('content-type')).not.to.equal('application/pdf');
  });

  it('are a PDF with layouts behind their pages, options of pages and an outline', async function () {
    needCommand(this, 'pdftotext');
    const session = await begin('MENU');
    await printStatement(session, 'S');
    const input = Buffer.from(await (await get(session, 'LETTERS.LST', 'Print')).arrayBuffer());
    const read = execFileSync('pdftotext', ['-layout', '-', '-'], { input }).toString();
    const pages = read.split('\f').map((page) =>
      page
        .trim()
        .replaceAll(/ +/g, ' ')
        .split(/\s*\n\s*/),
    );
    expect(pages).to.deep.equal([
      ['not of the letter'],
      ['LETTERHEAD of LETTERS.LST', 'Chapter one', 'text one'],
      ['second sheet LETTERHEAD of LETTERS.LST'],
      ['line a'],
      ['Chapter <two>'],
      [''],
      ['last'],
      [''],
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-letters-'));
    try {
      writeFileSync(join(folder, 'letters.pdf'), input);
      const options = ['-xml', '-i', '-stdout', join(folder, 'letters.pdf')];
      const outline = execFileSync('pdftohtml', options)
        .toString()
        .matchAll(/<item page="(\d+)">(.*)<\/item>/g);
      expect([...outline].map(([, page, title]) => [page, title])).to.deep.equal([
        ['2', 'Chapter one'],
        ['5', 'Chapter &lt;two&gt;'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
    // shown as a page, it is text
    expect(await (await get(session, 'LETTERS.LST')).text()).to.include('Chapter <two>\n\nlast');
  });

  it('have as many outlines and page breaks as there may be, and no more', async () => {
    const session = await begin('MENU');
    await printStatement(session, 'S');
    expect((await get(session, 'MARKED.LST', 'Print')).headers.get('content-type')).to.equal('application/pdf');
    for (const page of ['MARKED-MORE.LST', 'BROKEN.LST'])
      expect((await get(session, page, 'Print')).status).to.equal(500);
    expect(site.log()).to.include('more than 2000 of its tags lay out the PDF');
  });

  it('are printed by LU type 3 as well', async () => {
    const session = await begin('MENU');
    await printStatement(session, '3');
    const lines = (await (await get(session, 'x.txt', 'Print')).text()).split('\n');
    expect(lines[0]).to.equal(` ${HEADING}`);
  });

  it('are those of their session alone', async () => {
    const session = await begin('MENU');
    const other = await begin('MENU');
    await printStatement(session, 'S');
    for (const page of ['x.txt', 'x.pdf', 'PRINT.HTML']) expect((await get(other, page, 'Print')).status).to.equal(404);
    expect((await get({ ...session, cookie: other.cookie }, 'x.txt', 'Print')).status).to.equal(404);
    expect((await get({ ...session, code: `${session.code}x` }, 'x.txt', 'Print')).status).to.equal(404);
    expect((await get(session, 'x.txt?document=2', 'Print')).status).to.equal(404);
    const plain = await begin('PLAIN');
    expect((await get(plain, 'x.txt', 'Print')).status).to.equal(404);
  });

  it('are on record: that they were printed and opened, and nothing of what they say', async () => {
    const file = readdirSync(site.folder, { recursive: true }).find((name) => String(name).endsWith('audit.jsonl'));
    const trail = readFileSync(join(site.folder, String(file)), 'utf8');
    expect(trail).to.include('"document.printed"');
    expect(trail).to.include('"document.opened"');
    for (const text of [trail, site.log()]) {
      expect(text).not.to.include(HEADING);
      expect(text).not.to.include('HOPPER');
    }
  });
});
