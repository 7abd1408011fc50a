import { isSessionCode } from '../../sessions/session-code.js';

/**
 * `status`: only whether the screen has changed; `print`: what the printer of the session has printed; `transfer`: files between
 * client and host.
 */
export type SessionWish = 'page' | 'status' | 'print' | 'transfer';

const wishes: Readonly<Record<string, SessionWish>> = {
  Validate: 'status',
  Verify: 'status',
  Print: 'print',
  Transfer: 'transfer',
};

/** How a path names a session: by its code, or as one of those whose cookies come along. */
type SessionReference =
  | {
      readonly by: 'code';
      /** As the client wrote it; empty where it cannot be one. */
      readonly code: string;
      readonly wish: SessionWish;
    }
  | {
      readonly by: 'cookie';
      /** Undefined: the newest of them. */
      readonly label: string | undefined;
    };

const asked = /^(Validate|Verify|Print|Transfer)(?=SvcSession=|AjaxSession=)/;
const named = /^(?:SvcSession|AjaxSession)=(.*)$/;
const BY_COOKIE = '$UseCookieSession$';
/** One of several: the label of its cookie follows. */
const byLabel = /^\$UseCookieSession\$=((?:[a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{8})$/;

/** @param text what follows the two plus signs */
export function sessionReference(text: string): SessionReference {
  const label = byLabel.exec(text)?.[1];
  if (label !== undefined || text === BY_COOKIE) return { by: 'cookie', label };
  const wish = wishes[asked.exec(text)?.[1] ?? ''] ?? 'page';
  const code = named.exec(text.replace(asked, ''))?.[1] ?? '';
  return { by: 'code', code: isSessionCode(code) ? code : '', wish };
}

/** Whether a path names a session by what any page of another port has sent along. */
export function isByCookie(text: string): boolean {
  return text.startsWith(BY_COOKIE);
}
