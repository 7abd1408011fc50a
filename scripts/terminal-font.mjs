// Creates the font of the terminal: the characters used by hosts, from DejaVu Sans Mono, as WOFF2.
// `npm run font` runs it with the required packages. `--check` compares with the existing file and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const publicFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'public');
const licenceFile = join(publicFolder, 'terminal-font-license.txt');

/** First and last code points of the font that is loaded with the page. The style sheet has the same list. */
const usual = [
  [0x20, 0x7e], // ASCII
  [0xa0, 0x17f], // Latin 1, Latin extended A
  [0x2010, 0x2026],
  [0x20ac, 0x20ac],
  [0x2190, 0x2195], // arrows
  [0x2500, 0x257f], // boxes
];
/** The subset that is loaded on demand. */
const others = [
  [0x18f, 0x192],
  [0x1a0, 0x1b0],
  [0x1cd, 0x1d4],
  [0x218, 0x21b], // Romanian
  [0x259, 0x259],
  [0x282, 0x283], // characters of code page 310
  [0x2c6, 0x2dd],
  [0x300, 0x323], // Vietnamese accents
  [0x37a, 0x3ce], // Greek
  [0x401, 0x45f], // Cyrillic
  [0x490, 0x493],
  [0x49a, 0x49b], // Kazakh
  [0x4a2, 0x4a3],
  [0x4ae, 0x4b1],
  [0x4ba, 0x4bb],
  [0x4d8, 0x4d9],
  [0x4e8, 0x4e9],
  [0x1e9e, 0x1e9e],
  [0x2030, 0x203e],
  [0x2070, 0x208e], // superscripts, subscripts
  [0x20a0, 0x20ab], // currencies
  [0x20ad, 0x20bf],
  [0x2116, 0x2122],
  [0x21d4, 0x21d4],
  [0x2200, 0x2202], // mathematical and APL operators
  [0x2205, 0x220d],
  [0x220f, 0x221e],
  [0x2223, 0x222b],
  [0x2234, 0x223d],
  [0x2248, 0x2248],
  [0x2260, 0x2265],
  [0x2282, 0x2287],
  [0x2295, 0x2299],
  [0x22a2, 0x22a5],
  [0x22c4, 0x22c6],
  [0x2308, 0x230b],
  [0x2310, 0x2321],
  [0x2336, 0x237a], // APL
  [0x2395, 0x2395],
  [0x23b8, 0x23b9],
  [0x2580, 0x259f], // block elements
  [0x25a0, 0x25ac],
  [0x25b2, 0x25cf],
  [0x2713, 0x2717],
];

// npx puts the packages beside the first folder of the PATH
const fromPackages = createRequire(join((process.env.PATH ?? '').split(delimiter)[0] ?? '', '..', 'packages.js'));
const { default: subsetFont } = await import(pathToFileURL(fromPackages.resolve('subset-font')).href);
const source = dirname(fromPackages.resolve('dejavu-fonts-ttf/package.json'));

const fonts = { 'terminal-font.woff2': usual, 'terminal-font-more.woff2': others };
const licence = readFileSync(join(source, 'LICENSE'));

if (process.argv.includes('--check')) {
  let isSame = licence.equals(readFileSync(licenceFile));
  for (const [name, ranges] of Object.entries(fonts)) {
    isSame &&= (await made(ranges)).equals(readFileSync(join(publicFolder, name)));
  }
  process.stdout.write(isSame ? 'The fonts are what this script makes.\n' : 'The fonts are others.\n');
  process.exitCode = isSame ? 0 : 1;
} else {
  for (const [name, ranges] of Object.entries(fonts)) {
    const font = await made(ranges);
    writeFileSync(join(publicFolder, name), font);
    process.stdout.write(`${name}: ${font.length} bytes\n`);
  }
  writeFileSync(licenceFile, licence);
}

function made(ranges) {
  const characters = ranges
    .map(([first, last]) => String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at)))
    .join('');
  return subsetFont(readFileSync(join(source, 'ttf', 'DejaVuSansMono.ttf')), characters, {
    targetFormat: 'woff2',
    // no ligatures: each position shows a separate character
    keepFeatures: [],
    // a third of the size; hinting would also change widths that the style sheet relies on
    noHinting: true,
  });
}
