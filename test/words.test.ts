import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from './support/project.js';

/** The endings of docs/develop/lives.md, as far as a text can be looked at. */
describe('words for what goes wrong', () => {
  const sources = ['src', 'machines', 'client'].flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file: join(folder, file), text: readFileSync(join(projectFolder, folder, file), 'utf8') })),
  );
  const found = (pattern: RegExp) =>
    sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([match]) => `${file}: ${match}`));

  it('every class that is thrown ends in Error', () => {
    expect(found(/class \w+ extends Error/g)).to.have.length.above(20);
    expect(found(/class \w*(?<!Error) extends \w*Error\b/g)).to.deep.equal([]);
  });

  it('nothing else does, but what others call so', () => {
    const others = found(/^(?:export )?(?:(?:interface|type) \w+Error\b|class \w+Error(?! extends \w*Error\b)\b)/gm);
    expect(others).to.deep.equal([
      'src/lines/listener/unparsed-request-handler.ts: interface ParserError',
      'src/tn3270/host/host-connection-error.ts: interface SystemError',
      'src/tn3270/keyboard/operator-errors.ts: export type OperatorError',
    ]);
  });

  it('no result is a value or the text of an error', () => {
    const valueOrText = /^.*\)(?:: | => )(?:Promise<|AsyncGenerator<)?[^=;'"]*\| string>?(?: \{|;|,)?$/gm;
    for (const line of [
      'export function read(text: string): Address | string {',
      'async function read(file: string): Promise<Uint8Array | string> {',
      '  readonly optionsFor: (wishes: Wishes) => Options | string;',
      '  enter(address: string): (() => void) | string {',
    ]) {
      expect(line.match(valueOrText), line).to.have.length(1);
    }
    expect(found(valueOrText)).to.deep.equal([]);
    expect(found(/(?:class|interface|type) \w+(?:Failure|Problem|Result)\b/g)).to.deep.equal([]);
  });
});
