import { constants } from 'node:crypto';
import type WebSocket from 'ws';
import { wait } from './session-bed.js';
import { type BegunSession, encryptTriple, openSocket, SiteClient, wrapKey } from './site-client.js';

export interface UpdateFigures {
  readonly whole: ReadonlyMap<string, number>;
  readonly another: readonly number[];
  readonly small: readonly number[];
  readonly turns: readonly number[];
}

type Step = readonly [kind: 'another' | 'small', name: string, key: string, fields?: Readonly<Record<number, string>>];

/** A typical walk through every application of the simulated host. Fields by their number on the screen. */
const steps: readonly Step[] = [
  ['small', 'LOGON', 'ENTER', { 0: 'NONSENSE' }],
  ['another', 'SIGNON', 'ENTER', { 0: 'LOGON APPLID(TSO)' }],
  ['small', 'SIGNON', 'ENTER', { 0: 'NOBODY', 1: 'wrong' }],
  ['small', 'SIGNON', 'PF01'],
  ['another', 'MENU', 'ENTER', { 0: 'DEMO', 1: 'demo' }],
  ['small', 'MENU', 'ENTER', { 0: 'Q' }],
  ['small', 'MENU', 'PF01'],
  ['another', 'MEMBERS', 'ENTER', { 0: '1' }],
  ['another', 'MEMBERS, next page', 'PF08'],
  ['another', 'MEMBERS, found', 'ENTER', { 0: 'FIND PRNT' }],
  ['small', 'MEMBERS, found', 'ENTER', { 0: 'NONSENSE' }],
  ['another', 'MEMBER', 'ENTER', { 2: 'S' }],
  ['another', 'MEMBER, next page', 'PF08'],
  ['another', 'MEMBER, next page', 'PF08'],
  ['another', 'MEMBERS, back', 'PF03'],
  ['another', 'MENU', 'PF03'],
  ['another', 'ACCOUNTS', 'ENTER', { 0: '2' }],
  ['small', 'ACCOUNTS', 'ENTER', { 0: '1' }],
  ['another', 'ACCOUNT', 'ENTER', { 0: '10000001' }],
  ['small', 'ACCOUNT', 'ENTER'],
  ['another', 'ACCOUNTS', 'PF05', { 1: '1234.00' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'FORM', 'ENTER', { 0: '3' }],
  ['small', 'FORM', 'ENTER', { 0: '12345678' }],
  ['small', 'FORM', 'ENTER', { 1: '12.50', 2: '2026-11-21' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'COLOURS', 'ENTER', { 0: '4' }],
  ['small', 'COLOURS', 'ENTER', { 0: 'CHANGED' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'APL', 'ENTER', { 0: '5' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'JAPANESE', 'ENTER', { 0: '6' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'CLOCK', 'ENTER', { 0: '7' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'LATE', 'ENTER', { 0: '8' }],
  ['small', 'LATE', 'ENTER', { 0: '0' }],
  ['another', 'MENU', 'PF03'],
  ['another', 'OPERATOR', 'ENTER', { 0: '9' }],
  ['small', 'OPERATOR', 'ENTER'],
  ['another', 'MENU', 'PF03'],
];

const TICKS_MILLISECONDS = 10_500;
const SETTLED_MILLISECONDS = 60;
const PROTECTED = 32;
const HIDDEN = 12;

interface Message {
  readonly k: string;
  readonly l?: unknown;
  readonly t?: readonly unknown[];
  readonly f?: readonly (readonly number[])[];
}

/** Counts bytes of messages, without the frame headers of 2 or 4 bytes. */
export async function countUpdates(url: string): Promise<UpdateFigures> {
  const client = new SiteClient(url, 2);
  const page = await client.begin('/TERMINAL.HTML+TSO');
  const sessionKey = wrapKey(page, 24, constants.RSA_PKCS1_PADDING);
  const whole = new Map<string, number>();
  const counted = { another: [] as number[], small: [] as number[] };
  const turns: number[] = [];
  let bytes = 0;
  let isFree = false;
  let fields: readonly (readonly number[])[] = [];
  const socket = await openSocket(url, page, (text) => {
    const message = JSON.parse(text) as Message;
    if (message.k === 'r') throw new Error(text);
    if (message.k !== 's' && message.k !== 'd') return;
    if (message.f !== undefined) fields = message.f;
    isFree = message.l === 0;
    if (message.k === 'd' && message.t?.length === 0 && message.f === undefined) turns.push(Buffer.byteLength(text));
    else bytes += Buffer.byteLength(text);
  });
  whole.set('LOGON', await wholeScreen(url, page));
  let number = 0;
  for (const [kind, name, key, typed = {}] of steps) {
    bytes = 0;
    isFree = false;
    const inputs = fields.filter(([, attribute = 0]) => (attribute & PROTECTED) === 0);
    const values: Record<string, string> = {};
    for (const [at, text] of Object.entries(typed)) {
      const [address = 0, attribute = 0] = inputs[Number(at)] ?? [];
      values[idOf(address + 1)] = (attribute & HIDDEN) === HIDDEN ? encryptTriple(sessionKey.key, text) : text;
    }
    socket.send(JSON.stringify({ k: 'k', i: ++number, a: key, y: 1, f: values, s: sessionKey.wrapped }));
    for (let waited = 0; !isFree; waited++) {
      if (waited > 500) throw new Error(`no answer at ${name}`);
      await wait(10);
    }
    await wait(SETTLED_MILLISECONDS);
    counted[kind].push(bytes);
    if (!whole.has(name)) whole.set(name, await wholeScreen(url, page));
    if (name === 'CLOCK') counted.small.push(...(await ticks(socket)));
  }
  socket.terminate();
  await client.close();
  return { whole, ...counted, turns };
}

async function ticks(socket: WebSocket): Promise<number[]> {
  const sizes: number[] = [];
  const take = (data: WebSocket.RawData) => sizes.push(data.toString().length);
  socket.on('message', take);
  await wait(TICKS_MILLISECONDS);
  socket.off('message', take);
  return sizes;
}

/** A second page of the session always gets the whole screen. */
async function wholeScreen(url: string, page: BegunSession): Promise<number> {
  let bytes = 0;
  const take = (text: string) => {
    if (text.startsWith('{"k":"s"')) bytes = Buffer.byteLength(text);
  };
  const socket = await openSocket(url, page, take, '{"k":"h","p":2,"r":0}');
  socket.terminate();
  return bytes;
}

function idOf(address: number): string {
  return `V${address.toString(16).toUpperCase().padStart(7, '0')}`;
}
