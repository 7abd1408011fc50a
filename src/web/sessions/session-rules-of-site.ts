import { NOBODY_SIGNED_ON } from '../../access/audit/audit-entry.js';
import type { Transaction } from '../../lines/entry-point/transaction.js';
import type { SessionRules } from '../../sessions/session-rules.js';
import type { ClientSite } from '../http/client-site.js';
import type { Requester } from './user-sessions.js';

/** The rules of a transaction for the user who begins a session of it; the site is that of the beginning. */
export function sessionRulesOf(
  { security, audit }: Pick<ClientSite, 'security' | 'audit'>,
  { fileTransfer, application: host = '' }: Transaction,
  requester: Pick<Requester, 'user'> | undefined,
): SessionRules {
  return {
    transfer: async () => {
      if (fileTransfer === undefined || fileTransfer.groups.length === 0) return fileTransfer;
      // groups as the database has them now
      const user = requester && (await security?.service.current(requester.user).catch(() => undefined));
      return user?.groups.some((group) => fileTransfer.groups.includes(group)) === true ? fileTransfer : undefined;
    },
    record: ({ direction, hostFile, bytes, from }, make) =>
      audit.record(
        {
          who: requester?.user.name ?? NOBODY_SIGNED_ON,
          from,
          what: direction === 'send' ? 'file.sent' : 'file.received',
          subject: `host ${host}`,
          after: { file: hostFile, bytes },
        },
        make,
      ),
  };
}
