import { expect } from 'chai';
import { sourcesBelow, withoutComments } from '../support/sources.js';

const sources = [...sourcesBelow('src')];
/** Of a folder that mkdtemp has made, which nobody else may enter. */
const inPrivateFolder = new Set(['src/cli/doctor/package-checks.ts']);

/** Each call of functions of node:fs with these names: its file and its arguments. Methods of an open file have a dot before their names. */
function callsOf(names: string): (readonly [file: string, words: string])[] {
  return sources
    .filter(([, source]) => source.includes("from 'node:fs"))
    .flatMap(([file, source]) => {
      const code = withoutComments(source);
      return [...code.matchAll(new RegExp(`(?<![.#\\w])(?:${names})\\(`, 'g'))].map(
        ({ 0: call, index }) => [file, argumentsAt(code, index + call.length)] as const,
      );
    });
}

/** Up to the parenthesis that ends them. */
function argumentsAt(code: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < code.length; at++) depth += code[at] === '(' ? 1 : code[at] === ')' ? -1 : 0;
  return code.slice(from, at - 1).replaceAll(/\s+/g, ' ');
}

/** A file without a mode has the one of the umask, which may be open to all. */
describe('what is made on the disk', () => {
  it('names its mode: files that are written and folders', () => {
    const makers = callsOf('writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|mkdir|mkdirSync');
    expect(makers.length).to.be.above(10);
    const without = makers.filter(([file, words]) => !/mode/i.test(words) && !inPrivateFolder.has(file));
    // the cookie file was made empty and private before
    expect(without).to.deep.equal([['src/s3270/program/terminal-of-options.ts', 'file, cookie']]);
  });

  it('names its mode: files that are opened for writing', () => {
    const opened = callsOf('open|openSync').filter(([, words]) => /, '[wa]x?\+?'|\? 'w' : 'a'/.test(words));
    expect(opened.length).to.be.above(5);
    expect(opened.filter(([, words]) => !/0o600|PRIVATE_FILE|FILE_MODE/.test(words))).to.deep.equal([]);
  });

  it('has no socket that others may connect to: they are listened on in one place', () => {
    const listening = sources.filter(([, source]) => /\.listen\(\{ path/.test(source)).map(([file]) => file);
    // its folder is private
    expect(listening).to.have.members(['src/lib/files/private-path.ts']);
  });
});
