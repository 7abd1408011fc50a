import { Latencies } from './latencies.js';
import { LoadConnection, type PreparedRequest } from './load-connection.js';
import type { KnownAnswer, LoadResult, LoadTask } from './load-task.js';

/** Runs one task. Requests in flight at the end still count. */
export function load(task: LoadTask): Promise<LoadResult> {
  const requests = task.answers.map((answer) => prepared(answer, task.port));
  const latencies = new Latencies();
  const begin = performance.now();
  const end = begin + (task.milliseconds ?? Number.POSITIVE_INFINITY);
  const most = task.requests ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  let open = task.connections;

  return new Promise((resolve) => {
    const closeOne = () => {
      open -= 1;
      if (open > 0) return;
      resolve({
        requests: latencies.count,
        seconds: (performance.now() - begin) / 1_000,
        p50Milliseconds: latencies.percentile(0.5),
        p99Milliseconds: latencies.percentile(0.99),
        failures,
        firstFailure,
      });
    };
    const next = () => {
      if (sent >= most || performance.now() >= end) {
        closeOne();
        return undefined;
      }
      const request = requests[sent % requests.length];
      sent += 1;
      return request;
    };
    const onFailure = (words: string) => {
      failures += 1;
      firstFailure ??= words;
      closeOne();
    };
    for (let index = 0; index < task.connections; index += 1) {
      new LoadConnection({ port: task.port, next, onAnswer: (milliseconds) => latencies.add(milliseconds), onFailure });
    }
  });
}

/** With the headers of the reference client (specification 4.1). */
function prepared({ path, body }: KnownAnswer, port: number): PreparedRequest {
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: keep-alive\r\nAccept: text/html,*/*\r\n\r\n`;
  return { bytes: Buffer.from(head, 'latin1'), body };
}
