import type { BrowserSession } from '../../session/browser-session.js';
import type { ClientSite } from '../http/client-site.js';

/** What the user of a session may transfer. */
interface FileRule {
  /** Of one file. */
  readonly mostBytes: number;
}

/** Undefined: its transaction transfers no files, or not for the groups of its user, as the database has them now. */
export async function fileRuleOf(
  { entryPoint, security }: Pick<ClientSite, 'entryPoint' | 'security'>,
  session: BrowserSession,
): Promise<FileRule | undefined> {
  const rule = entryPoint.transaction(session.facts.transaction)?.fileTransfer;
  if (rule === undefined || rule.groups.length === 0) return rule;
  const user = await security?.userSessions.userOf(session);
  return user?.groups.some((group) => rule.groups.includes(group)) === true ? rule : undefined;
}
