import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { awaited } from '../support/awaited.js';
import { programOf, type Started, type StartS3270 } from './started-s3270.js';

/** What a program has said on standard output and standard error, and what it has sent to its host, byte by byte. */
export interface SeenByHost {
  readonly output: string;
  readonly errors: string;
  readonly sent: string;
}

/** Times and ports are others each time. */
export function withoutTimes(output: string, port: number): string {
  return output.replaceAll(/^(.* 0x0) \d+\.\d{3}$/gm, '$1').replaceAll(String(port), 'PORT');
}

/**
 * Starts a program with a host that says `says` (hexadecimal) as soon as it is connected; PORT in the words is its port.
 * The actions are given to it when the host has said all, and the answer to each is waited for.
 */
export async function runWithHost(
  command: readonly string[] | StartS3270,
  words: readonly string[],
  {
    says,
    actions,
    environment = {},
  }: {
    readonly says: string;
    readonly actions: readonly string[];
    readonly environment?: Readonly<Record<string, string | undefined>>;
  },
): Promise<SeenByHost> {
  const sent: Buffer[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    closed.push(new Promise((resolve) => socket.on('close', resolve)));
    socket.on('data', (chunk) => sent.push(chunk));
    socket.on('error', () => undefined);
    socket.write(Buffer.from(says.replaceAll(' ', ''), 'hex'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const start = typeof command === 'function' ? command : programOf(command);
  const child = start(
    words.map((word) => word.replace('PORT', String(port))),
    { environment: { ...process.env, ...environment } },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const output = await answersOf(child, actions);
  // what is still on its way was sent as well
  await awaited(child.program, 'the end of its connection', Promise.all(closed));
  server.close();
  return { output: withoutTimes(output, port), errors, sent: Buffer.concat(sent).toString('hex') };
}

/** Each action when the one before is answered, and then the end. */
async function answersOf(child: Started, actions: readonly string[]): Promise<string> {
  let output = '';
  let answered = 0;
  const { stdin, stdout } = child;
  stdin.on('error', () => undefined);
  const ask = () => {
    const action = actions[answered];
    if (action === undefined) stdin.end('Disconnect\n');
    else stdin.write(`${action}\n`);
  };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const count = output.match(/^(ok|error)$/gm)?.length ?? 0;
    while (answered < count) {
      answered += 1;
      if (answered <= actions.length) ask();
    }
  });
  ask();
  const over = once(child, 'close');
  await awaited(child.program, `the answers to ${actions.join(' ')}, and its end`, over, () => child.abandon());
  return output;
}
