import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/project.js';
import { sourcesBelow } from '../support/sources.js';

const page = readFileSync(join(projectFolder, 'docs', 'develop', 'lives.md'), 'utf8');
const [told = '', glossary = ''] = page.split('\n## Glossary\n');
const sources = sourcesBelow('src', 'machines', 'client');
/** Names of files without their ending, and of folders. */
const names = new Set(
  [...sources.keys()].flatMap((file) => {
    const parts = file.replace(/\.ts$/, '').split('/');
    return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  }),
);
const codeIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** Files and folders: what has a slash in it or a dash, and no more than names of ours have. */
const isFile = (code: string) => /^[a-z\d]+[-/][-a-z\d/]*[a-z\d](\.machine)?(\.ts)?$/.test(code);

describe('docs/develop/lives.md', () => {
  it('names files and folders that are there', () => {
    const files = codeIn(told.replaceAll(/^```[^`]*```$/gm, '')).filter(isFile);
    expect(files).to.have.length.above(100);
    const missing = files
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((file) => !names.has(file) && !names.has(`src/${file}`))
      // without a folder it is a file of the room that was named last
      .filter((file) => file.includes('/') || ![...names].some((name) => name.endsWith(`/${file}`)));
    expect(missing).to.deep.equal([]);
  });

  it('calls things by names that the code has', () => {
    const code = [...sources.values()].join('\n');
    const isDeclared = (name: string) =>
      new RegExp(`\\b(class|interface|type|const|function|get|readonly) ${name}\\b`).test(code);
    const rows = glossary.split('| in words | in code |')[1] ?? '';
    const types = codeIn(rows).filter((name) => /^\w+$/.test(name));
    expect(types).to.have.length.above(40);
    expect(types.filter((name) => !isDeclared(name))).to.deep.equal([]);
  });
});
