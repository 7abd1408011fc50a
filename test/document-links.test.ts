import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from './support/project.js';

const CODE = /^```.*?^```/gms;

function documents(): string[] {
  const inFolder = (folder: string, options = {}) =>
    readdirSync(join(projectFolder, folder), { encoding: 'utf8', ...options })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file));
  return [...inFolder('.'), ...inFolder('docs', { recursive: true })];
}

function textOf(file: string): string {
  return readFileSync(join(projectFolder, file), 'utf8').replace(CODE, '');
}

/** As GitHub makes them of headings: lower case, no punctuation, hyphens for blanks, a number for one that is there already. */
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of textOf(file).matchAll(/^#{1,6} (.*)$/gm)) {
    const words = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let name = anchor;
    for (let further = 1; anchors.has(name); further++) name = `${anchor}-${further}`;
    anchors.add(name);
  }
  return anchors;
}

describe('links of the documents', () => {
  it('lead to a file that is there, and to a heading of it', () => {
    const links = documents().flatMap((file) =>
      [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => ({ file, link }))
        .filter(({ link }) => !/^[a-z]+:/.test(link)),
    );
    expect(links).to.have.length.above(300);
    const leadsNowhere = links.filter(({ file, link }) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(projectFolder, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
    expect(leadsNowhere.map(({ file, link }) => `${file}: ${link}`)).to.deep.equal([]);
  });
});
