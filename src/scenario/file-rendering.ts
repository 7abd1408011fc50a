import { render } from '../template/render.js';
import { sessionlessContext } from '../template/sessionless-context.js';
import type { TemplateEntry } from '../template/template-file.js';
import type { RenderFile } from './scenario-run.js';

type FoundFile = TemplateEntry | undefined;

/**
 * Finds a file of the template storage; undefined where the directory or the file does not exist. A promise only where
 * the disk must be looked at.
 */
export type FindFile = (directory: string, name: string) => FoundFile | Promise<FoundFile>;

/**
 * Renders the files that COPY$ OUTPUT-FILE-TO-VARIABLE names: looked for in the directory of the run first, then in
 * the other directories in the order of the configuration, so that request templates need not lie among the pages.
 */
export function fileRenderer(find: FindFile, directories: readonly string[]): RenderFile {
  return async (directory, name, { valuesOf, names, codePage }) => {
    let entry = await find(directory, name);
    for (const other of directories) {
      if (entry !== undefined) break;
      if (other === directory) continue;
      const found = find(other, name);
      entry = found instanceof Promise ? await found : found;
    }
    if (entry === undefined) return undefined;
    if (entry.kind === 'static') return { body: entry.body, encoding: 'utf-8' };
    const { template } = entry;
    const values = { valuesOf, names, codePage, trace: undefined };
    const { body, charset } = render(template, sessionlessContext(template, values));
    return { body, encoding: charset === 'UTF-8' ? 'utf-8' : charset };
  };
}
