import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkTemplate } from '../../src/templates/template-file.js';

describe('checkTemplate', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'check-template-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const check = (content: string | Buffer) => {
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
        message: 'END-FOR has no tag to close: its opening tag is missing, or already closed',
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

  for (const declaration of ['<!--svc start="{{{" end="}}}" -->', '<!-- Svc end="}}}" start="{{{" -->']) {
    it(`warns of ${declaration}, which declares nothing`, async () => {
      const { diagnostics } = await check(`<p>\n${declaration}{{{CURRENT-VALUE-OF "A"}}}`);
      expect(diagnostics.map(({ severity, line, column }) => [severity, line, column])).to.deep.equal([
        ['warning', 2, 1],
      ]);
      expect(diagnostics[0]?.message).to.contain('SVC').and.contain('upper case');
    });
  }

  for (const tag of [
    '{{{CURRENT-VALUE-OF "A"}}}',
    '{{{ CURRENT-VALUE-OF "A"}}}',
    '{{{current-value-of "A"}}}',
    '{{{CURENT-VALUE-OF "A"}}}',
    '{{{PDF-OUTLINE}}}',
    '{{{PRINT (0)}}}',
    '{{{IF-USER-IS-ALLOWED-TO "PAY" <a href="pay.html">',
    '{{{DEFINE-HTML-PFKEY = "pfkField"}}}',
  ]) {
    it(`warns of ${tag} in a file without a declaration`, async () => {
      const { diagnostics, tags } = await check(`<!-- a comment -->\n<p>${tag}</p>\n${tag}\n`);
      expect(tags).to.deep.equal([]);
      expect(diagnostics).to.have.length(1);
      expect(diagnostics[0]).to.include({ severity: 'warning', line: 2, column: 4, file: join(folder, 'a.html') });
      expect(diagnostics[0]?.message).to.contain('looks like a tag (and 1 more)').and.contain('no declaration');
    });
  }

  it('warns of tags of the usual delimiters in a file that declares others', async () => {
    const { diagnostics, tags } = await check(
      '<!--SVC start="[[" end="]]" -->\n[[VIRPLEX-CODE]]{{{CURRENT-VALUE-OF "A"}}}',
    );
    expect(tags).to.deep.equal(['- : VIRPLEX-CODE']);
    expect(diagnostics.map(({ severity, line, column }) => [severity, line, column])).to.deep.equal([
      ['warning', 2, 17],
    ]);
    expect(diagnostics[0]?.message).to.contain('the file declares the delimiters [[ and ]]');
  });

  for (const text of [
    'const page = `{{{body}}}`;',
    '{{{ }}}',
    '{{CURRENT-VALUE-OF "A"}}',
    '{{{A}}}',
    '{"a":{"b":{"SVC":{}}}}',
    '{{{Current-Value-OfX"',
  ]) {
    it(`does not warn of ${text}`, async () => {
      const { diagnostics } = await check(text);
      expect(diagnostics).to.deep.equal([]);
    });
  }

  for (const [statement, name, line] of [
    ['\n<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', 'iso-8859-1', 2],
    ['<meta charset="windows-1252">', 'windows-1252', 1],
    ['\n\n{{{SET-CONTENT-TYPE "text/html; charset=ISO-8859-1"}}}', 'ISO-8859-1', 3],
  ] as const) {
    it(`warns of a page in UTF-8 that says it is ${name}`, async () => {
      const { diagnostics } = await check(
        `<!--SVC start="{{{" end="}}}" -->{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}${statement}`,
      );
      expect(diagnostics.map(({ severity, line }) => [severity, line])).to.deep.equal([['warning', line]]);
      expect(diagnostics[0]?.message).to.contain(`says ${name}`);
    });
  }

  it('warns of a page in ISO-8859-1 that is converted to UTF-8, at the first byte that is not UTF-8', async () => {
    const { diagnostics } = await check(
      Buffer.from('<!--SVC start="{{{" end="}}}" -->\n{{{SET-OUTPUT-ENCODING-UTF-8 ""}}}\n Zürich Köln', 'latin1'),
    );
    expect(diagnostics.map(({ severity, line, column }) => [severity, line, column])).to.deep.equal([
      ['warning', 3, 3],
    ]);
    expect(diagnostics[0]?.message).to.contain('converted');
  });

  it('says which file cannot be read', async () => {
    const error = await checkTemplate(join(folder, 'none.html')).catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.include(join(folder, 'none.html'));
  });
});
