import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { FileUserStore } from '../../src/access/users/file-user-store.js';
import { silentLog } from '../../src/lib/log/log.js';
import { runHead } from '../run-head.js';
import { say, table, target } from '../sessions/report.js';

interface Options {
  readonly seconds: number;
  readonly guesses: number;
  readonly addresses: number;
  readonly networks: number;
  readonly users: number;
  readonly browsers: number;
}

interface Try {
  readonly status: number;
  readonly seconds: number;
}

interface Attempt {
  readonly from: string;
  readonly name: string;
  readonly password: string;
  readonly cookie?: string | undefined;
}

/** Below the connection limit of a line, which is not measured here. */
const GUESSING_CONNECTIONS = 700;
const PASSWORD = 'right-Horse-7';
/** Retries within a minute of a user who is asked to try again. */
const MOST_TRIES = 5;
const RETRY_SECONDS = 5;

export async function benchmarkSignOns(args: readonly string[]): Promise<number> {
  const options = new Command('bench:sign-ons')
    .description('Signs users on from new addresses while passwords are guessed from others, behind a trusted proxy.')
    .option('--seconds <number>', 'how long', Number, 60)
    .option('--guesses <number>', 'guesses within these seconds', Number, 10_000)
    .option('--addresses <number>', 'addresses that they come from, in turn', Number, 1_000)
    .option('--networks <number>', 'networks (/24) that these are of', Number, 1_000)
    .option('--users <number>', 'users who sign on, spread over the time', Number, 10)
    .option(
      '--browsers <number>',
      'users of these who sign on with a browser that they have signed on with before',
      Number,
      0,
    )
    .parse([...args], { from: 'user' })
    .opts<Options>();
  say(`${runHead('bench:sign-ons', args)}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-sign-ons-'));
  const server = await start(folder, options.users);
  try {
    return await measure(server.url, options);
  } finally {
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
    rmSync(folder, { recursive: true });
  }
}

async function measure(url: string, options: Options): Promise<number> {
  const cookies: (string | undefined)[] = [];
  for (let at = 0; at < options.browsers; at++) cookies.push(await signOnByForm(url, `USER${at}`));
  const agent = new Agent({ keepAlive: true, maxSockets: GUESSING_CONNECTIONS });
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  const guessed = guessAll(url, options, agent, elapsed);
  const users = Array.from({ length: options.users }, async (_, at) => {
    await pause((((at + 0.5) * options.seconds) / options.users) * 1_000);
    const tries: Try[] = [];
    while (tries.length < MOST_TRIES) {
      if (tries.length > 0) await pause(RETRY_SECONDS * 1_000);
      const user = { from: `198.51.${at}.7`, name: `USER${at}`, password: PASSWORD, cookie: cookies[at] };
      tries.push(await signOn(url, user));
      if (tries.at(-1)?.status !== 503) break;
    }
    return tries;
  });
  const tries = await Promise.all(users);
  const seconds = elapsed();
  agent.destroy();
  const statuses = await guessed;
  table(
    ['user', 'answers', 'seconds of each'],
    tries.map((own, at) => [
      String(at + 1),
      own.map(({ status }) => status).join(', '),
      own.map(({ seconds }) => seconds.toFixed(2)).join(', '),
    ]),
  );
  const times = (status: number) => statuses.filter((one) => one.status === status).length;
  say(
    `- guesses within ${seconds.toFixed(0)} s: ${times(401)} checked, ${times(503)} told to come again, ${times(429)} refused for the limit of their address, ${times(0)} without an answer`,
  );
  const first = tries.filter((own) => own[0]?.status === 204 || own[0]?.status === 200).length;
  const last = tries.filter((own) => (own.at(-1)?.status ?? 0) < 300).length;
  target(`users signed on, of ${options.users}`, last === options.users, `${last}, ${first} of them at the first try`);
  return last === options.users ? 0 : 1;
}

/** @returns the cookie of the browser, which identifies the user at other addresses */
async function signOnByForm(url: string, name: string): Promise<string> {
  const page = `${url}/E.HTML+HELLO`;
  const headers = { 'X-Forwarded-For': '203.0.113.1' };
  const form = await (await fetch(page, { headers })).text();
  const [, code = ''] = /name="SIGNON-CODE" value="([^"]*)"/.exec(form) ?? [];
  const body = new URLSearchParams({ 'SIGNON-CODE': code, USERID: name, PASSWORD });
  const answer = await fetch(page, { method: 'POST', headers, body, redirect: 'manual' });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('SvcDevice='));
  if (cookie === undefined) throw new Error(`${name} was given no cookie: ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}

async function guessAll(
  url: string,
  { guesses, addresses, networks, seconds }: Options,
  agent: Agent,
  elapsed: () => number,
): Promise<readonly Try[]> {
  const answers: Promise<Try>[] = [];
  while (answers.length < guesses) {
    const due = Math.min(guesses, (elapsed() / seconds) * guesses);
    for (let at = answers.length; at < due; at++) {
      const address = at % addresses;
      const network = address % networks;
      const from = `10.${network >> 8}.${network & 255}.${1 + (Math.floor(address / networks) % 254)}`;
      const name = at % 2 === 0 ? `USER${at % 10}` : `NOBODY${at}`;
      answers.push(signOn(url, { from, name, password: `guess-${at}` }, agent));
    }
    await pause(5);
  }
  return Promise.all(answers);
}

function signOn(url: string, { from, name, password, cookie }: Attempt, agent?: Agent): Promise<Try> {
  const asked = performance.now();
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  return new Promise((resolve) => {
    const ended = (status: number) => resolve({ status, seconds: (performance.now() - asked) / 1_000 });
    const own = cookie === undefined ? {} : { Cookie: cookie };
    const headers = { Authorization: authorization, 'X-Forwarded-For': from, ...own };
    request(`${url}/E.HTML+HELLO`, { headers, agent: agent ?? false }, (response) =>
      response.resume().once('end', () => ended(response.statusCode ?? 0)),
    )
      .once('error', () => ended(0))
      .end();
  });
}

async function start(folder: string, users: number): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  writeFileSync(join(folder, 'E.HTML'), '<!--SVC start="{{{" end="}}}" -->good\n');
  const file = join(folder, 'sallyport.yaml');
  writeFileSync(
    file,
    `data: ./data
directories: { CLI: . }
security: { database: ./data/security.yaml, lockAfter: 1000 }
lines:
  A-HTTP: { listen: '127.0.0.1:0', entryPoint: E, trustedProxies: [127.0.0.1] }
entryPoints:
  E:
    directory: CLI
    transactions: { HELLO: { applicationType: 2, security: 4, page: E.HTML } }
`,
  );
  const database = new FileUserStore({
    file: join(folder, 'data', 'security.yaml'),
    log: silentLog,
    lockAfter: 1_000,
    lockMinutes: 30,
  });
  await database.open();
  for (let at = 0; at < users; at++) {
    await database.addUser({ name: `USER${at}`, role: 'user', groups: [], expires: undefined }, PASSWORD);
  }
  const program = join(process.cwd(), 'scripts', 'sallyport.mjs');
  const child = spawn(process.execPath, [program, 'serve', '--config', file, '--log-level', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (;;) {
    const url = /^A-HTTP +(http\S+)/m.exec(output)?.[1];
    if (url !== undefined) return { child, url };
    if (child.exitCode !== null) throw new Error(`the server has ended:\n${output}`);
    await pause(20);
  }
}
