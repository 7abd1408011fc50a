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
      { file: join(folder, 'a.html'), line: 3, column: 1, message: 'END-FOR closes nothing', severity: 'error' },
    ]);
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
