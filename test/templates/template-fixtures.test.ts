import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatPlace, SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { type CompileOptions, compileTemplate } from '../../src/templates/compile.js';
import { decodeTemplate } from '../../src/templates/template-file.js';
import { fixture } from '../support/project.js';
import { type ContextInput, contextOf, renderAtOnce } from './context-of.js';

/** A case is a folder: source.*, input.json, and either expected.* (with more expectations beside it) or the errors. */
describe('templates', () => {
  const folder = fixture('templates');
  for (const name of readdirSync(folder)) {
    const files = readdirSync(join(folder, name));
    const read = (file: string) => readFileSync(join(folder, name, file), 'utf8');
    const json = <T>(file: string): T => JSON.parse(read(file)) as T;
    const source = files.find((file) => file.startsWith('source.')) ?? '';
    const expected = files.find((file) => file.startsWith('expected.'));

    const compile = () => {
      const { text, charset } = decodeTemplate(readFileSync(join(folder, name, source)));
      const options: CompileOptions = { file: source, sourceCharset: charset };
      return compileTemplate(text, options);
    };

    if (expected === undefined) {
      it(`${name} is refused`, () => {
        let error: unknown;
        try {
          compile();
        } catch (thrown) {
          error = thrown;
        }
        expect(error).to.be.instanceOf(SourceError);
        const { diagnostics } = error as SourceError;
        expect(`${diagnostics.map(formatPlace).join('\n')}\n`).to.equal(read('expected-errors.txt'));
      });
      continue;
    }

    it(name, () => {
      const template = compile();
      const result = renderAtOnce(template, contextOf(json<ContextInput>('input.json')));
      expect(result.text).to.equal(read(expected));
      if (files.includes('expected-response.json'))
        expect(result).to.deep.include(json<object>('expected-response.json'));
      if (files.includes('expected-uses.json')) {
        const uses = { ...template.uses, hostOptions: Object.fromEntries(template.uses.hostOptions) };
        expect(uses).to.deep.include(json<object>('expected-uses.json'));
      }
      if (files.includes('expected-tags.txt')) {
        expect(`${template.tags.join('\n')}\n`).to.equal(read('expected-tags.txt'));
      }
      const body = files.includes('expected-body.hex')
        ? read('expected-body.hex').trim()
        : Buffer.from(read(expected)).toString('hex');
      expect(result.body.toString('hex')).to.equal(body);
    });
  }
});
