import type { IncomingMessage } from 'node:http';
import type { ClientSite } from '../http/client-site.js';
import { serviceErrorOf } from '../http/error-response.js';
import { carriedOf, repeatedBy } from '../http/request-sender.js';
import { refusalOf } from './passing-on.js';

/** What became of it at another node. */
export interface RepeatedAct {
  readonly node: string;
  readonly isDone: boolean;
  /** What it has answered: a JSON object; of what could not be done, with a message. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** In which another node has done it. */
const SILENCE_MILLISECONDS = 30_000;

/** Of a server that is named beside it. */
const ofNode: Readonly<Record<string, string>> = {
  SVC_ERR_NODE_GONE: 'It cannot be reached.',
  SVC_ERR_NODE_UNREACHABLE: 'It cannot be reached.',
  SVC_ERR_NODE_LATE: 'It has not answered in time.',
};

/** Has other nodes do what this one has done for a request: each by itself, and on record there. None where another node sees to it. */
export function repeatedAt(
  { nodes, line }: ClientSite,
  incoming: IncomingMessage,
  codes: readonly string[],
  body: Buffer,
): Promise<readonly RepeatedAct[]> {
  if (nodes === undefined || repeatedBy(incoming) !== undefined) return Promise.resolve([]);
  const carried = carriedOf(incoming, line.name);
  const options = { whenGone: () => {}, body, accept: 'application/json', silenceMilliseconds: SILENCE_MILLISECONDS };
  return Promise.all(
    codes.map(async (node) => {
      try {
        // whoever repeats nothing of it again cannot be asked in a circle
        const passed = await nodes.pass(node, incoming, { ...carried, repeatedBy: node }, 'client', options);
        const answer = JSON.parse((await refusalOf(passed)).toString()) as RepeatedAct['answer'];
        return { node, isDone: passed.statusCode === 200, answer };
      } catch (error) {
        const { code, message } = serviceErrorOf(error);
        return { node, isDone: false, answer: { code, message: ofNode[code] ?? message } };
      }
    }),
  );
}
