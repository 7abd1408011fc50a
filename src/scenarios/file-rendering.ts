import { withoutByteOrderMark } from '../lib/text/characters.js';
import type { FindFile, FoundFile } from '../templates/compiled-template.js';
import { type RenderedPage, render, sessionlessContext } from '../templates/render.js';
import type { LaidOutPage } from '../tn3270/print/printed-page.js';
import type { FileValues, RenderedFile, RenderFile } from './scenario-run.js';

/** @param askedBy client address, for fair scheduling */
type MakePdf = (pages: readonly LaidOutPage[], askedBy: string) => Promise<Buffer>;

/**
 * Renders the files of COPY$ OUTPUT-FILE-TO-VARIABLE. Searches the directory of the run first, then the other
 * directories in the order of the configuration, so that request templates can be stored apart from pages.
 */
export function fileRenderer(find: FindFile, directories: readonly string[], makePdf: MakePdf): RenderFile {
  const orders = new Map(
    directories.map((first) => [first, [first, ...directories.filter((other) => other !== first)]]),
  );
  return (directory, name, values) => {
    const order = orders.get(directory) ?? directories;
    const renderFound = (found: FoundFile) => rendered(found, values, makePdf);
    for (let index = 0; index < order.length; index++) {
      const found = find(order[index] ?? '', name);
      if (found instanceof Promise) return renderLater(find, found, order.slice(index + 1), renderFound, name);
      if (found !== undefined) return renderFound(found);
    }
    return undefined;
  };
}

async function renderLater(
  find: FindFile,
  first: Promise<FoundFile | undefined>,
  others: readonly string[],
  render: (found: FoundFile) => ReturnType<RenderFile>,
  name: string,
): Promise<RenderedFile | undefined> {
  let found = await first;
  for (const directory of others) {
    if (found !== undefined) break;
    found = await find(directory, name);
  }
  return found && render(found);
}

function rendered(file: FoundFile, values: FileValues, makePdf: MakePdf): RenderedFile | Promise<RenderedFile> {
  if (file.kind === 'static') return { body: withoutByteOrderMark(file.body), encoding: 'utf-8' };
  const { template } = file;
  const { valuesOf, names, codePage, asLines } = values;
  const isPdf = asLines && template.uses.pdf?.isVariable === true;
  const page = render(template, sessionlessContext(template, { valuesOf, names, codePage, trace: undefined, isPdf }));
  const asFile = (rendered: RenderedPage): RenderedFile | Promise<RenderedFile> => {
    const pages = isPdf ? rendered.pdfPages : undefined;
    if (pages !== undefined) return pdfOf(pages, values, makePdf);
    const { body, charset } = rendered;
    return { body, encoding: charset === 'UTF-8' ? 'utf-8' : charset };
  };
  return page instanceof Promise ? page.then(asFile) : asFile(page);
}

async function pdfOf(pages: readonly LaidOutPage[], { names }: FileValues, makePdf: MakePdf): Promise<RenderedFile> {
  const body = await makePdf(pages, names.get('USER-IP-ADDRESS') ?? '');
  return { body, encoding: 'iso-8859-1', isPdf: true };
}
