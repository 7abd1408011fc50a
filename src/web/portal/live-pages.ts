import { render, sessionlessContext } from '../../templates/render.js';
import type { ConsoleTopic } from '../console/console-streams.js';
import { PageMaking, PageTopic } from '../console/page-topic.js';
import { findProductPage } from '../http/client-site.js';
import { siteNames } from '../http/request-names.js';
import { portalRoutes } from '../routes.js';
import { portalWords } from '../words/page-words.js';
import { PortalWording } from '../words/portal-wording.js';
import { roleVariables } from './portal-page.js';
import { parametersOfTopic } from './portal-paths.js';
import type { PageView } from './portal-route.js';

/**
 * The topics of a portal line: `overview`, `loaded:PARAMETERS`. Pages are rendered for a role, never for a user. They contain no data of a
 * single user, such as the token of a form.
 */
export function liveTopics(view: Omit<PageView, 'query' | 'words'>): ReadonlyMap<string, ConsoleTopic> {
  const { site } = view;
  const making = new PageMaking();
  const topics = portalRoutes.flatMap(({ role, live }): [string, ConsoleTopic][] => {
    if (live === undefined) return [];
    const { topic: name, view: make } = live;
    const topic = new PageTopic({
      role,
      making,
      make: async (parameter, roleOfViewer, language) => {
        const parameters = parametersOfTopic(parameter);
        const words = PortalWording.of(language);
        const outcome = await make({ ...view, words, query: (wanted) => parameters.get(wanted) ?? '' });
        const found = outcome.kind === 'page' ? await findProductPage(site, outcome.page) : undefined;
        if (outcome.kind !== 'page' || found?.kind !== 'template') throw new Error(`no page for the topic ${name}`);
        const known = { ...roleVariables(roleOfViewer, words), ...outcome.variables };
        const context = sessionlessContext(found.template, {
          valuesOf: (variable) => known[variable.toUpperCase()],
          names: { ...siteNames(site), wordsOf: portalWords(language, known) },
          trace: undefined,
          codePage: site.defaultCodePage,
        });
        const { text } = await render(found.template, context);
        return text;
      },
      onFault: (error) => site.log.error({ err: error, topic: name }, 'a live page could not be rendered'),
    });
    return [[name, topic]];
  });
  return new Map(topics);
}
