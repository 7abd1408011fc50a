import { type RepeatedAct, repeatedAt } from '../forwarding/forwarding.js';
import { noticeOf } from './portal-paths.js';
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
  return `${node}: ${noticeOfPath(String(next)) ?? (typeof message === 'string' ? message : 'It has answered something else.')}`;
}

/** Sends a form to the other workers of this machine. If one fails, the page names the failures. */
export async function doneByAllWorkers(request: PortalRequest, outcome: PortalOutcome): Promise<PortalOutcome> {
  const acts = await formRepeatedAt(request, request.site.nodes?.onThisMachine ?? []);
  if (outcome.kind !== 'redirect' || acts.every(({ isDone }) => isDone)) return outcome;
  return confirmation({
    title: 'Not all workers of this machine have done it',
    facts: [`${request.site.sessions.node}: ${noticeOfPath(outcome.to)}`, ...acts.map(nodeAnswerText)],
    action: '',
    button: undefined,
    back: outcome.to.replace(/\?.*$/, ''),
  });
}

function noticeOfPath(path: string): string | undefined {
  return noticeOf(DONE.exec(path)?.[1] ?? '');
}
