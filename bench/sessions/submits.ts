import { constants } from 'node:crypto';
import { Latencies } from '../scenario/latencies.js';
import {
  type BegunSession,
  encryptTriple,
  openSocket,
  type SessionKey,
  SiteClient,
  sealGcm,
  wrapKey,
} from './site-client.js';
import { nowMicroseconds, readStamp } from './stamps.js';

export interface SubmitFigures {
  readonly way: string;
  readonly variant: string;
  readonly p50: number;
  readonly p99: number;
}

type Variant = 'in clear' | 'encrypted' | 'encrypted, new session key';
type Fields = Readonly<Record<string, string>>;
type Submit = (fields: Fields, wrapped: string | undefined, number: number) => Promise<string>;

const variants: readonly Variant[] = ['in clear', 'encrypted', 'encrypted, new session key'];
const COMMAND = 'V000005E';
const SECRET = 'V00000AE';
const WARM_UP = 300;

/**
 * Alternates submits with and without an encrypted field in one session. Encryption is not measured.
 * @returns milliseconds without the host's time
 */
export async function measureSubmits(url: string, gcm: boolean, rounds: number): Promise<SubmitFigures[]> {
  const client = new SiteClient(url, 1);
  const figures: SubmitFigures[] = [];
  const transaction = gcm ? 'GCM' : 'TSO';
  const name = gcm ? 'AES-256-GCM under RSA-OAEP-2048' : '3TDEA under RSA-1024';
  for (const way of ['WebSocket', 'POST, JSON', 'POST, page'] as const) {
    const page = await client.begin(`/TERMINAL.HTML+${transaction}`);
    const byNumber = way === 'WebSocket' ? (number: number) => `1.${number}` : String;
    const submit = way === 'WebSocket' ? await bySocket(url, page) : byPost(client, page, way);
    const times = await measure(page, gcm, rounds, submit, byNumber);
    for (const variant of variants) {
      const found = times.get(variant) ?? new Latencies();
      figures.push({ way: `${way}, ${name}`, variant, p50: found.percentile(0.5), p99: found.percentile(0.99) });
    }
  }
  await client.close();
  return figures;
}

async function measure(
  page: BegunSession,
  gcm: boolean,
  rounds: number,
  submit: Submit,
  byNumber: (number: number) => string,
): Promise<Map<Variant, Latencies>> {
  const newKey = () =>
    gcm ? wrapKey(gcmPart(page), 32, constants.RSA_PKCS1_OAEP_PADDING) : wrapKey(page, 24, constants.RSA_PKCS1_PADDING);
  let sessionKey: SessionKey = newKey();
  const times = new Map<Variant, Latencies>(variants.map((variant) => [variant, new Latencies()]));
  let number = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const variant of variants) {
      number++;
      const isNew = variant === 'encrypted, new session key' || number === 2;
      if (isNew) sessionKey = newKey();
      const secret = gcm
        ? sealGcm(sessionKey.key, 'geheim', page.code + SECRET + byNumber(number))
        : encryptTriple(sessionKey.key, 'geheim');
      const fields: Fields = { [COMMAND]: 'FIND RATE0001', ...(variant === 'in clear' ? {} : { [SECRET]: secret }) };
      const sent = nowMicroseconds();
      const text = await submit(fields, isNew ? sessionKey.wrapped : undefined, number);
      const answered = nowMicroseconds();
      const stamp = readStamp(text);
      if (stamp === undefined) throw new Error(`no answer of the host: ${text.slice(0, 300)}`);
      const host = stamp.answered - stamp.received;
      if (round >= 0) times.get(variant)?.add((answered - sent - host) / 1_000);
    }
  }
  return times;
}

/** Selects the public key of the session's encryption on a page with both. */
function gcmPart(page: BegunSession): BegunSession {
  return { ...page, text: /<form id="screen-form"[^>]*>/.exec(page.text)?.[0] ?? '' };
}

function byPost(client: SiteClient, page: BegunSession, way: 'POST, JSON' | 'POST, page'): Submit {
  const accept = way === 'POST, JSON' ? 'application/json' : 'text/html';
  return (fields, wrapped, number) =>
    client.submit(
      page,
      'TERMINAL.HTML',
      number,
      { pf: 'ENTER', ...(wrapped === undefined ? {} : { SESSKEY: wrapped }), ...fields },
      accept,
    );
}

async function bySocket(url: string, page: BegunSession): Promise<Submit> {
  let tell: ((text: string) => void) | undefined;
  const socket = await openSocket(url, page, (text) => {
    if (text.startsWith('{"k":"r"') || readStamp(text) !== undefined) tell?.(text);
  });
  return (fields, wrapped, number) =>
    new Promise((resolve) => {
      tell = resolve;
      const key = wrapped === undefined ? {} : { s: wrapped };
      socket.send(JSON.stringify({ k: 'k', i: number, a: 'ENTER', y: 1, u: 94, f: fields, ...key }));
    });
}
