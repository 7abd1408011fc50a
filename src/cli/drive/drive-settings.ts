import { appendFileSync } from 'node:fs';
import { readPemFile } from '../../config/read-pem-file.js';
import { cipherStringFault } from '../../lib/network/tls-ciphers.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { nearestName } from '../../lib/text/nearest-name.js';
import type { CodePage } from '../../tn3270/codepage/code-page.js';
import { findTerminalCodePage } from '../../tn3270/codepage/code-pages.js';
import { Conversation } from '../../tn3270/conversation/conversation.js';
import { type HostAddress, type HostTlsOptions, openHostConnection } from '../../tn3270/host/host-connection.js';
import { allFunctions, type HostSessionOptions } from '../../tn3270/host/host-session-options.js';
import { HostTrace } from '../../tn3270/host/host-trace.js';
import { findTerminalModel, type TerminalModel } from '../../tn3270/screen/screen-size.js';

const STARTTLS_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 5_000;

/** @param changed called when the screen may have changed */
export function settingsConversation(
  address: HostAddress,
  settings: DriveSettings,
  changed: () => void = () => undefined,
  leavesAtOnce = false,
): Conversation {
  const conversation = new Conversation(
    {
      model: settings.model,
      codePage: settings.codePage,
      entryRules: { numericLock: settings.numericLock, blankFill: settings.blankFill },
      deviceNames: settings.deviceNames,
      tn3270e: settings.tn3270e,
      functions: allFunctions,
      environment: new Map(settings.user === '' ? [] : [['USER', settings.user]]),
      ...connecting(address, settings),
      negotiationMilliseconds: undefined,
      leavesAtOnce,
      trace: settings.trace === undefined ? undefined : traceInto(settings.trace),
    },
    { changed },
  );
  conversation.connect();
  return conversation;
}

export function connecting(
  address: HostAddress,
  { tls, connectSeconds, startTls }: DriveSettings,
): Pick<HostSessionOptions, 'connect' | 'requiresStartTls' | 'startTls' | 'keepAlive'> {
  const fromFirstByte = startTls === 'required' ? undefined : tls;
  const connectMilliseconds = connectSeconds * 1_000;
  return {
    connect: (handler, signal) =>
      openHostConnection(
        { address, ...(fromFirstByte && { tls: fromFirstByte }), connectMilliseconds, signal },
        handler,
      ),
    requiresStartTls: startTls === 'required',
    startTls: startTls
      ? (connection, signal) => connection.startTls(tls ?? {}, signal, STARTTLS_MILLISECONDS)
      : undefined,
    keepAlive: undefined,
  };
}

export async function stopConversation(conversation: Conversation): Promise<void> {
  conversation.stop();
  await conversation.waitUntil(() => conversation.end !== undefined, { withinMilliseconds: STOP_MILLISECONDS });
}

/** Readable only by the owner, because it contains host data. */
function traceInto(file: string): HostTrace {
  return new HostTrace({ write: (line) => appendFileSync(file, `${line}\n`, { mode: 0o600 }) });
}

/** Settings of `sallyport drive`, documented in docs/write/drive.md. */
export interface DriveSettings {
  readonly model: TerminalModel;
  readonly codePage: CodePage;
  readonly deviceNames: readonly string[];
  readonly tls: HostTlsOptions | undefined;
  readonly tn3270e: boolean;
  readonly startTls: boolean | 'required';
  readonly numericLock: boolean;
  readonly blankFill: boolean;
  readonly margin: boolean;
  readonly user: string;
  readonly connectSeconds: number;
  readonly trace: string | undefined;
}

const LONGEST_CONNECT_SECONDS = 600;
const MOST_DEVICE_NAMES = 32;
const deviceName = /^[A-Za-z0-9@#$._-]{1,32}$/;

type Given = Readonly<Record<string, unknown>>;

export function readDriveSettings(json: string): ReadOutcome<DriveSettings> {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (error) {
    return readFault(`the settings are not JSON: ${(error as Error).message}`);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return readFault('the settings are not a JSON object');
  const fault = faultOf(given as Given);
  return fault === undefined ? settingsOf(given as Given) : readFault(fault);
}

const types: Readonly<Record<string, readonly string[]>> = {
  model: ['string'],
  codepage: ['string'],
  oversize: ['string'],
  lu: ['string'],
  tls: ['boolean', 'object'],
  tn3270e: ['boolean'],
  startTls: ['boolean', 'string'],
  numericLock: ['boolean'],
  blankFill: ['boolean'],
  margin: ['boolean'],
  user: ['string'],
  connectSeconds: ['number'],
  trace: ['string'],
};

const tlsTypes: Readonly<Record<string, readonly string[]>> = {
  verify: ['boolean'],
  ca: ['string'],
  cert: ['string'],
  key: ['string'],
  serverName: ['string'],
  ciphers: ['string'],
};

function faultOf(given: Given): string | undefined {
  const { connectSeconds = 1, tls, startTls } = given;
  return (
    wrongMember(given, types) ??
    (typeof tls === 'object' && tls !== null ? wrongMember(tls as Given, tlsTypes) : undefined) ??
    (typeof startTls === 'string' && startTls !== 'required'
      ? `startTls: expected true, false or "required"`
      : undefined) ??
    cipherFaultOf(tls) ??
    (Number(connectSeconds) > 0 && Number(connectSeconds) <= LONGEST_CONNECT_SECONDS
      ? undefined
      : `connectSeconds: more than 0 and at most ${LONGEST_CONNECT_SECONDS}`)
  );
}

function cipherFaultOf(tls: unknown): string | undefined {
  const { ciphers } = Object(tls) as { readonly ciphers?: string };
  const fault = ciphers === undefined ? undefined : cipherStringFault(ciphers);
  return fault === undefined ? undefined : `tls.ciphers: ${fault}`;
}

function wrongMember(given: Given, known: Readonly<Record<string, readonly string[]>>): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    const expected = known[name];
    if (expected === undefined) {
      const guess = nearestName(name, Object.keys(known));
      return `there is no setting ${name}${guess === undefined ? '' : ` (did you mean ${guess}?)`}`;
    }
    if (!expected.includes(value === null ? 'null' : typeof value))
      return `${name}: expected a ${expected.join(' or ')}`;
  }
  return undefined;
}

function settingsOf(given: Given): ReadOutcome<DriveSettings> {
  const model = findTerminalModel(String(given.model ?? '3279-2-E'), given.oversize as string | undefined);
  if (model.kind === 'fault') return model;
  const codePage = findTerminalCodePage(String(given.codepage ?? 'cp037'));
  if (codePage === undefined)
    return readFault(`there is no code page ${given.codepage} (docs/run/codepages.md lists them)`);
  const deviceNames = String(given.lu ?? '')
    .split(',')
    .filter((name) => name !== '');
  if (deviceNames.length > MOST_DEVICE_NAMES || !deviceNames.every((name) => deviceName.test(name))) {
    return readFault(`lu: up to ${MOST_DEVICE_NAMES} names with commas between, each of letters, digits and @#$._-`);
  }
  const tls = tlsOptionsOf(given.tls);
  if (tls.kind === 'fault') return tls;
  return readAs({
    model: model.value,
    codePage,
    deviceNames,
    tls: tls.value,
    tn3270e: given.tn3270e !== false,
    startTls: given.startTls === 'required' ? 'required' : given.startTls !== false,
    numericLock: given.numericLock === true,
    blankFill: given.blankFill === true,
    margin: given.margin !== false,
    user: String(given.user ?? ''),
    connectSeconds: Number(given.connectSeconds ?? 30),
    trace: given.trace as string | undefined,
  });
}

function tlsOptionsOf(given: unknown): ReadOutcome<HostTlsOptions | undefined> {
  if (given === undefined || given === false) return readAs(undefined);
  if (given === true) return readAs({});
  const { verify, ca, cert, key, serverName, ciphers } = given as Readonly<Record<string, string | undefined>> & {
    readonly verify?: boolean;
  };
  try {
    return readAs({
      verify: (verify as boolean | undefined) !== false,
      ...(ca === undefined ? {} : { ca: readPemFile(ca) }),
      ...(cert === undefined ? {} : { cert: readPemFile(cert) }),
      ...(key === undefined ? {} : { key: readPemFile(key) }),
      ...(serverName === undefined ? {} : { serverName }),
      ...(ciphers === undefined ? {} : { ciphers }),
    });
  } catch (error) {
    return readFault(`tls: ${(error as Error).message}`);
  }
}
