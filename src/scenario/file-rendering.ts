import type { FindFile, FoundFile } from '../template/found-file.js';
import { render } from '../template/render.js';
import { sessionlessContext } from '../template/sessionless-context.js';
import type { FileValues, RenderedFile, RenderFile } from './scenario-run.js';

/**
 * Renders the files that COPY$ OUTPUT-FILE-TO-VARIABLE names: looked for in the directory of the run first, then in
 * the other directories in the order of the configuration, so that request templates need not lie among the pages.
 */
export function fileRenderer(find: FindFile, directories: readonly string[]): RenderFile {
  const orders = new Map(
    directories.map((first) => [first, [first, ...directories.filter((other) => other !== first)]]),
  );
  return (directory, name, values) => {
    const order = orders.get(directory) ?? directories;
    for (let index = 0; index < order.length; index++) {
      const found = find(order[index] ?? '', name);
      if (found instanceof Promise) return renderLater(find, found, order.slice(index + 1), name, values);
      if (found !== undefined) return rendered(found, values);
    }
    return undefined;
  };
}

async function renderLater(
  find: FindFile,
  first: Promise<FoundFile | undefined>,
  others: readonly string[],
  name: string,
  values: FileValues,
): Promise<RenderedFile | undefined> {
  let found = await first;
  for (const directory of others) {
    if (found !== undefined) break;
    found = await find(directory, name);
  }
  return found && rendered(found, values);
}

function rendered(file: FoundFile, { valuesOf, names, codePage }: FileValues): RenderedFile {
  if (file.kind === 'static') return { body: file.body, encoding: 'utf-8' };
  const { template } = file;
  const { body, charset } = render(
    template,
    sessionlessContext(template, { valuesOf, names, codePage, trace: undefined }),
  );
  return { body, encoding: charset === 'UTF-8' ? 'utf-8' : charset };
}
