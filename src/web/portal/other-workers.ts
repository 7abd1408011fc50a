import { type RepeatedAct, repeatedAt } from '../forwarding/forwarding.js';
import type { PortalWord, PortalWording } from '../words/portal-wording.js';
import { type NoticeWord, noticeOf, redirectTo } from './portal-paths.js';
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

const failures: Readonly<Record<string, PortalWord>> = {
  SVC_ERR_NODE_GONE: 'node.unreachable',
  SVC_ERR_NODE_UNREACHABLE: 'node.unreachable',
  SVC_ERR_NODE_LATE: 'node.late',
};

/** The answer of a node to a form: the notice of the next page, or the reason for a refusal. */
export function nodeAnswerText({ node, answer }: RepeatedAct, words: PortalWording): string {
  const { next, code, words: translated, message } = answer;
  const failure = failures[String(code)];
  const reasons = [
    noticeOf(DONE.exec(String(next))?.[1] ?? '', words),
    failure && words.text(failure),
    translated,
    message,
  ].filter((text) => typeof text === 'string');
  return words.text('node.says', { node, answer: reasons[0] ?? words.text('node.otherAnswer') });
}

/** The notice of this node, shown with the answers of the others. */
export function ownAnswer(node: string | undefined, done: NoticeWord, words: PortalWording): string {
  return words.text('node.says', { node: node ?? '', answer: words.text(`notice.${done}`) });
}

/** Repeats a form at the other workers of this machine. The next page lists their failures. */
export async function doneByAllWorkers(request: PortalRequest, path: string, done: NoticeWord): Promise<PortalOutcome> {
  const { words, site } = request;
  const acts = await formRepeatedAt(request, site.nodes?.onThisMachine ?? []);
  const failed = acts.filter(({ isDone }) => !isDone);
  if (failed.length === 0) return redirectTo(path, done);
  return confirmation({
    title: words.text('node.notAll'),
    facts: [ownAnswer(site.sessions.node, done, words), ...acts.map((act) => nodeAnswerText(act, words))],
    action: '',
    button: undefined,
    back: path,
  });
}
