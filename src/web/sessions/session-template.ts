import type { BrowserSession } from '../../sessions/browser-session.js';
import type { CompiledTemplate, FoundFile } from '../../templates/compiled-template.js';
import type { ClientSite } from '../http/client-site.js';
import { publicDirectoryOf } from '../pages/page-directory.js';

/**
 * The template of a page of a session: in the directory of its first page, in that of the entry point, or in the one that the
 * path names, where its first name is not just the code of this node.
 */
export async function findSessionTemplate(
  site: ClientSite,
  session: BrowserSession,
  directories: readonly string[],
  page: string,
): Promise<CompiledTemplate | undefined> {
  const candidates = [session.facts.directory, site.entryPoint.definition.directory];
  for (const directory of new Set(candidates)) {
    const found = await site.findPage(directory, page);
    if (found?.kind === 'template') return found.template;
  }
  let found: FoundFile | undefined;
  try {
    found = await site.findPage(publicDirectoryOf(site.entryPoint, directories.slice(0, 1)), page);
  } catch {
    return undefined;
  }
  return found?.kind === 'template' ? found.template : undefined;
}
