import { expect } from 'chai';
import { filesOf } from '../support/architecture-page.js';
import { edgesOf, importsOf, sourcesBelow, withoutComments, withoutTexts } from '../support/sources.js';

const sources = sourcesBelow('src', 'machines');
/** Everyone else knows no more than the types of Node. */
const networkModules = [
  'node:net',
  'node:tls',
  'node:http',
  'node:https',
  'node:http2',
  'node:dgram',
  'undici',
  'ldapts',
];
const diskModules = ['node:fs', 'node:fs/promises'];
/** Names that open nothing. */
const harmless = [
  ...['STATUS_CODES', 'BlockList', 'isIP', 'isIPv4', 'isIPv6', 'createSecureContext', 'rootCertificates'],
  ...['errors', 'Filter', 'FilterParser'],
];
const composition = /^src\/(main\.ts|server\/|config\/|cli\/|s3270\/program\/)/;

/** What reaches out of the process: docs/develop/architecture.md names each file. */
describe('sockets and the disk', () => {
  it('are for the files that the page names', () => {
    expect(filesOf('Sockets and the disk', 1)).to.have.members(filesThatImport(networkModules));
    expect(filesOf('Sockets and the disk', 2)).to.have.members(filesThatImport(diskModules));
  });

  it('are reached by no global of Node', () => {
    const fetching = [...sources].filter(([, source]) => /(?<![.#\w])(fetch|WebSocket)\(/.test(withoutTexts(source)));
    expect(fetching.map(([file]) => file)).to.deep.equal([]);
  });

  it('lets uploads in by one door', () => {
    const readers = edgesOf(sources).filter(
      ({ target, typesOnly }) => target === 'src/web/macros/uploaded-file.ts' && !typesOnly,
    );
    expect(readers.map(({ file }) => file)).to.deep.equal(['src/web/macros/upload-entry.ts']);
  });

  it('leave the environment to the composition', () => {
    const readers = [...sources].filter(([, source]) => /process\s*\.\s*env/.test(withoutComments(source)));
    expect(readers.map(([file]) => file).filter((file) => !composition.test(file))).to.deep.equal([]);
  });
});

/** Not counting types, and names that open nothing. */
function filesThatImport(modules: readonly string[]): string[] {
  return [...sources]
    .filter(([, source]) =>
      importsOf(source).some(
        ({ specifier, typesOnly, names }) =>
          modules.includes(specifier) &&
          !typesOnly &&
          (names.length === 0 || names.some((name) => !harmless.includes(name))),
      ),
    )
    .map(([file]) => file);
}
