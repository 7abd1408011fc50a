import { appendFileSync } from 'node:fs';
import { Conversation } from '../../tn3270/conversation/conversation.js';
import { type HostAddress, openHostConnection } from '../../tn3270/host/host-connection.js';
import { allFunctions } from '../../tn3270/host/host-session-options.js';
import { HostTrace } from '../../tn3270/host/host-trace.js';
import type { DriveSettings } from './drive-settings.js';

const STARTTLS_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 5_000;

/** A conversation with the host that a command names; it has begun to connect. @param changed told when it may look another way */
export function settingsConversation(
  address: HostAddress,
  settings: DriveSettings,
  changed: () => void = () => undefined,
  leavesAtOnce = false,
): Conversation {
  const { tls, connectSeconds, startTls } = settings;
  const fromFirstByte = startTls === 'required' ? undefined : tls;
  const conversation = new Conversation(
    {
      model: settings.model,
      codePage: settings.codePage,
      entryRules: { numericLock: settings.numericLock, blankFill: settings.blankFill },
      deviceNames: settings.deviceNames,
      tn3270e: settings.tn3270e,
      functions: allFunctions,
      environment: new Map(settings.user === '' ? [] : [['USER', settings.user]]),
      connect: (handler, signal) =>
        openHostConnection(
          {
            address,
            ...(fromFirstByte && { tls: fromFirstByte }),
            connectMilliseconds: connectSeconds * 1_000,
            signal,
          },
          handler,
        ),
      requiresStartTls: startTls === 'required',
      startTls: startTls
        ? (connection, signal) => connection.startTls(tls ?? {}, signal, STARTTLS_MILLISECONDS)
        : undefined,
      negotiationMilliseconds: undefined,
      keepAlive: undefined,
      leavesAtOnce,
      trace: settings.trace === undefined ? undefined : traceInto(settings.trace),
    },
    { changed },
  );
  conversation.connect();
  return conversation;
}

/** Ends the session in an orderly way, and waits for that. */
export async function stopConversation(conversation: Conversation): Promise<void> {
  conversation.stop();
  await conversation.waitUntil(() => conversation.end !== undefined, { withinMilliseconds: STOP_MILLISECONDS });
}

/** Only the owner may read it: it holds what the host sent. */
function traceInto(file: string): HostTrace {
  return new HostTrace({ write: (line) => appendFileSync(file, `${line}\n`, { mode: 0o600 }) });
}
