import { render } from '../template/render.js';
import { sessionlessContext } from '../template/sessionless-context.js';
import type { TemplateEntry } from '../template/template-file.js';
import type { RenderFile } from './scenario-run.js';

/** Finds a file of the template storage; undefined where the directory or the file does not exist. */
export type FindFile = (directory: string, name: string) => Promise<TemplateEntry | undefined>;

/**
 * Renders the files that COPY$ OUTPUT-FILE-TO-VARIABLE names: looked for in the directory of the run first, then in
 * the other directories in the order of the configuration, so that request templates need not lie among the pages.
 */
export function fileRenderer(find: FindFile, directories: readonly string[]): RenderFile {
  return async (directory, name, { valuesOf, names, codePage }) => {
    const entry = await findInAny(find, [directory, ...directories.filter((other) => other !== directory)], name);
    if (entry === undefined) return undefined;
    if (entry.kind === 'static') return { body: entry.body, encoding: 'utf-8' };
    const { template } = entry;
    const { body, charset } = render(
      template,
      sessionlessContext(template, { valuesOf, names, codePage, trace: undefined }),
    );
    return { body, encoding: charset.toLowerCase() };
  };
}

async function findInAny(
  find: FindFile,
  directories: readonly string[],
  name: string,
): Promise<TemplateEntry | undefined> {
  for (const directory of directories) {
    const entry = await find(directory, name);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
