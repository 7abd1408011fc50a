import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkTemplate } from '../../src/template/check-template.js';

describe('checkTemplate', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'check-template-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const check = (content: string) => {
    const file = join(folder, 'a.html');
    writeFileSync(file, content);
    return checkTemplate(file);
  };

  it('lists the tags of a good template', async () => {
    const { diagnostics, tags } = await check(
      '<!--SVC start="{{{" end="}}}" -->{{{SET-LOCAL-OPTIONS (XML-ESCAPES, ID)}}}{{{CURRENT-VALUE-OF "A"}}}{{{VIRPLEX-CODE}}}',
    );
    expect(diagnostics).to.deep.equal([]);
    expect(tags).to.deep.equal(['- : SET-LOCAL-OPTIONS (XML-ESCAPES,ID)', 'A : CURRENT-VALUE-OF', '- : VIRPLEX-CODE']);
  });

  it('gives all errors of a bad one, with the path as it was asked for', async () => {
    const { diagnostics } = await check('<!--SVC start="{{{" end="}}}" -->\n{{{NOPE}}}\n{{{END-FOR "x"}}}');
    expect(diagnostics).to.deep.equal([
      { file: join(folder, 'a.html'), line: 2, column: 1, message: 'unknown tag NOPE', severity: 'error' },
      {
        file: join(folder, 'a.html'),
        line: 3,
        column: 1,
        message: 'END-FOR closes nothing: its opening tag is missing, or is closed already',
        severity: 'error',
      },
    ]);
  });

  it('warns of a tag for pages of a PDF that stands in a layout', async () => {
    const { diagnostics } = await check(
      '<!--SVC start="{{{" end="}}}" -->{{{PDF-NEW-LAYOUT "1"}}}{{{PDF-PAGE-BREAK}}}{{{PDF-NEW-INPUT}}}{{{PDF-PAGE-BREAK}}}',
    );
    expect(diagnostics.map(({ severity, column }) => [severity, column])).to.deep.equal([['warning', 58]]);
  });

  for (const [tag, named] of [
    ['{{{SET-LOCAL-OPTIONS (XML-ESCAPES,TRACE-LINE,ENCRYPT-PASSWORD-FIELDS)}}}', 'TRACE-LINE, ENCRYPT-PASSWORD-FIELDS'],
    ['{{{UNSET-LOCAL-OPTIONS (ENCRYPT-PASSWORD-FIELDS)}}}', 'ENCRYPT-PASSWORD-FIELDS'],
    ['{{{NAME-OF (PASSWORD)}}}', 'PASSWORD'],
    ['{{{NAME-OF (SITE-SYMBOL)}}}', 'SITE-SYMBOL'],
    ['{{{DECLARE-FIELD-AS (USERNAME) "USER"}}}', 'USERNAME'],
    ['{{{DECLARE-FIELD-AS (NEW-PASSWORD) "NEW"}}}', 'NEW-PASSWORD'],
    ['{{{USER-SIGNON-CODE}}}', 'USER-SIGNON-CODE'],
    ['{{{SET-HEADER (TO-ALLOW-READ-OF-SCENARIO-TRACE) "x-Trace:"}}}', 'TO-ALLOW-READ-OF-SCENARIO-TRACE'],
    ['{{{SET-HEADER (AS-IS) "X-Content-Type-Options: off"}}}', 'X-Content-Type-Options'],
    ['{{{SET-OUTPUT-ENCODING-UTF-8 "IBM1147"}}}', 'IBM1147'],
  ] as const) {
    it(`warns that ${tag} does nothing`, async () => {
      const { diagnostics } = await check(`<!--SVC start="{{{" end="}}}" -->\n ${tag}`);
      expect(diagnostics).to.have.length(1);
      expect(diagnostics[0]).to.include({ severity: 'warning', line: 2, column: 2 });
      expect(diagnostics[0]?.message).to.contain(named);
    });
  }

  it('does not warn of what does something', async () => {
    const { diagnostics } = await check(
      '<!--SVC start="{{{" end="}}}" -->{{{SET-LOCAL-OPTIONS (ID,MDT-IF-RECEIVED)}}}{{{NAME-OF (USER)}}}' +
        '{{{DECLARE-FIELD-AS (PASSWORD,ENCRYPTED) "A"}}}{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}' +
        '{{{SET-HEADER (AS-IS) "X-Content-Type-Options: nosniff"}}}{{{SET-HEADER (AS-IS) "X-Frame-Options: DENY"}}}',
    );
    expect(diagnostics).to.deep.equal([]);
  });

  it('warns of a declaration that is not the first comment', async () => {
    const { diagnostics } = await check('<!-- licence -->\n<!--SVC start="{{{" end="}}}" -->{{{NOPE}}}');
    expect(diagnostics.map(({ severity, line, column }) => [severity, line, column])).to.deep.equal([
      ['warning', 2, 1],
    ]);
  });

  it('says which file cannot be read', async () => {
    const error = await checkTemplate(join(folder, 'none.html')).catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.include(join(folder, 'none.html'));
  });
});
