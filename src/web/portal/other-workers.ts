import { type RepeatedAct, repeatedAt } from '../forwarding/forwarding.js';
import type { PortalWord, PortalWording } from '../words/portal-wording.js';
import { noticeOf } from './portal-paths.js';
import { confirmation, type PortalOutcome, type PortalRequest } from './portal-route.js';

const DONE = /[?&]done=([a-z-]+)/;

/** Repeats the operation of a form at other nodes by sending them the form. */
export function formRepeatedAt(
  { site, request, fields }: PortalRequest,
  codes: readonly string[],
): Promise<readonly RepeatedAct[]> {
  const pairs = [...fields].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  return repeatedAt(site, request.incoming, codes, Buffer.from(new URLSearchParams(pairs).toString()));
}

const failures: ReadonlyMap<string, PortalWord> = new Map([
  ['SVC_ERR_NODE_GONE', 'node.unreachable'],
  ['SVC_ERR_NODE_UNREACHABLE', 'node.unreachable'],
  ['SVC_ERR_NODE_LATE', 'node.late'],
]);

/** The answer of a node to a form: the notice of the next page, or the reason for a refusal. */
export function nodeAnswerText({ node, answer }: Pick<RepeatedAct, 'node' | 'answer'>, words: PortalWording): string {
  const { next, code, words: translated, message } = answer;
  const failure = failures.get(String(code));
  const reasons = [
    noticeOf(DONE.exec(String(next))?.[1] ?? '', words),
    failure && words.text(failure),
    translated,
    message,
  ].filter((text) => typeof text === 'string');
  return words.text('node.says', { node, answer: reasons[0] ?? words.text('node.otherAnswer') });
}

/** The notice of this node, shown with the answers of the others. */
export function ownAnswer({ site, words }: PortalRequest, next: string): string {
  return nodeAnswerText({ node: site.sessions.node ?? '', answer: { next } }, words);
}

/** Repeats a form at the other workers of this machine. The next page lists their failures. */
export async function doneByAllWorkers(request: PortalRequest, outcome: PortalOutcome): Promise<PortalOutcome> {
  const { words, site } = request;
  const acts = await formRepeatedAt(request, site.nodes?.onThisMachine ?? []);
  if (outcome.kind !== 'redirect' || acts.every(({ isDone }) => isDone)) return outcome;
  return confirmation({
    title: words.text('node.notAll'),
    facts: [ownAnswer(request, outcome.to), ...acts.map((act) => nodeAnswerText(act, words))],
    action: '',
    button: undefined,
    back: outcome.to.replace(/\?.*$/, ''),
  });
}
