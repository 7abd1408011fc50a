import { isSessionCode } from '../../session/session-code.js';

/** How a path names a session: by its code, or as one of those whose cookies come along. */
type SessionReference =
  | {
      readonly by: 'code';
      /** As the client wrote it; empty where it cannot be one. */
      readonly code: string;
      /** It only asks whether the screen has changed. */
      readonly isStatusOnly: boolean;
    }
  | {
      readonly by: 'cookie';
      /** Undefined: the newest of them. */
      readonly label: string | undefined;
    };

const statusOnly = /^(?:Validate|Verify)(?=SvcSession=|AjaxSession=)/;
const named = /^(?:SvcSession|AjaxSession)=(.*)$/;
const BY_COOKIE = '$UseCookieSession$';
/** One of several: the label of its cookie follows. */
const byLabel = /^\$UseCookieSession\$=((?:[a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{8})$/;

/** @param text what follows the two plus signs */
export function sessionReference(text: string): SessionReference {
  const label = byLabel.exec(text)?.[1];
  if (label !== undefined || text === BY_COOKIE) return { by: 'cookie', label };
  const isStatusOnly = statusOnly.test(text);
  const code = named.exec(text.replace(statusOnly, ''))?.[1] ?? '';
  return { by: 'code', code: isSessionCode(code) ? code : '', isStatusOnly };
}

/** Whether a path names a session by what any page of another port has sent along. */
export function isByCookie(text: string): boolean {
  return text.startsWith(BY_COOKIE);
}
