// The honest client requests a page, a scenario, a form and a key in turn, from its own address.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { type BegunSession, beginSession } from '../flood-kinds.js';
import type { HonestRequest, HonestResult, HonestTask } from '../flood-task.js';

const HONEST = '127.0.0.3';
/** A slower answer counts as this long. */
const LONGEST_WAIT_MILLISECONDS = 20_000;
const PAUSE_MILLISECONDS = 20;

const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: HONEST } as ConstructorParameters<
  typeof Agent
>[0]);

function ask(port: number, path: string, session?: BegunSession, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'text/html',
      ...(session === undefined ? {} : { cookie: session.cookie }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
    };
    const options = { host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST', agent, headers };
    request({ ...options, localAddress: HONEST, timeout: LONGEST_WAIT_MILLISECONDS }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${path} was answered with ${response.statusCode}`));
      });
    })
      .once('timeout', function (this: { destroy(): void }) {
        this.destroy();
      })
      .once('error', reject)
      .end(body);
  });
}

async function measure({ port, seconds }: HonestTask): Promise<HonestResult> {
  const times: Record<HonestRequest, number[]> = { page: [], scenario: [], form: [], key: [] };
  const form = await beginSession(port, HONEST);
  const terminal = await beginSession(port, HONEST);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/w2h/TERMINAL.HTML++SvcSession=${terminal.code}`, {
    headers: { Cookie: terminal.cookie },
    localAddress: HONEST,
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  socket.send('{"k":"h"}');
  let number = 0;
  const key = () =>
    new Promise<void>((resolve, reject) => {
      const mine = ++number;
      const timer = setTimeout(() => reject(new Error('no answer to a key')), LONGEST_WAIT_MILLISECONDS);
      const take = (data: WebSocket.RawData) => {
        if (!data.toString().startsWith(`{"k":"a","i":${mine}`)) return;
        clearTimeout(timer);
        socket.off('message', take);
        resolve();
      };
      socket.on('message', take);
      socket.send(`{"k":"k","i":${mine},"a":"ENTER","y":1}`);
    });
  const requests: Readonly<Record<HonestRequest, () => Promise<void>>> = {
    page: () => ask(port, '/CLIWHOST.HTML'),
    scenario: () => ask(port, '/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD'),
    form: () => ask(port, `/w2h/TERMINAL.HTML++SvcSession=${form.code}`, form, 'pf=ENTER'),
    key,
  };
  process.send?.({ ready: true });
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    for (const [name, act] of Object.entries(requests)) {
      const start = performance.now();
      const isAnswered = await act().then(
        () => true,
        (error: unknown) => {
          process.stderr.write(`${name}: ${error}\n`);
          return false;
        },
      );
      times[name as HonestRequest].push(isAnswered ? performance.now() - start : LONGEST_WAIT_MILLISECONDS);
      await pause(PAUSE_MILLISECONDS);
    }
  }
  socket.terminate();
  return times;
}

process.on('message', (task: HonestTask) => {
  measure(task).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
