import { type RepeatedAct, repeatedAt } from '../forwarding/forwarding.js';
import { type NoticeWord, noticeOf, redirectTo } from './portal-paths.js';
import { confirmation, type PortalOutcome, type PortalRequest } from './portal-route.js';

const DONE = /[?&]done=([a-z-]+)/;

/** Has nodes do what this one has done for a form, which they are sent as well. */
export function formRepeatedAt(
  { site, request, fields }: PortalRequest,
  codes: readonly string[],
): Promise<readonly RepeatedAct[]> {
  const pairs = [...fields].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  return repeatedAt(site, request.incoming, codes, Buffer.from(new URLSearchParams(pairs).toString()));
}

/** What a node has said of a form: the notice of the page that it leads to, or why it was refused. */
export function nodeAnswerText({ node, answer: { next, message } }: RepeatedAct): string {
  const done = noticeOf(DONE.exec(String(next))?.[1] ?? '');
  return `${node}: ${done ?? (typeof message === 'string' ? message : 'It has answered something else.')}`;
}

/** Where a form leads to that the other workers of this machine answer, too; what they could not do is told. */
export async function doneByAllWorkers(request: PortalRequest, path: string, done: NoticeWord): Promise<PortalOutcome> {
  const acts = await formRepeatedAt(request, request.site.nodes?.onThisMachine ?? []);
  const failed = acts.filter(({ isDone }) => !isDone);
  if (failed.length === 0) return redirectTo(path, done);
  return confirmation({
    title: 'Not all workers of this machine have done it',
    facts: [`${request.site.sessions.node}: ${noticeOf(done)}`, ...acts.map(nodeAnswerText)],
    action: '',
    button: undefined,
    back: path,
  });
}
