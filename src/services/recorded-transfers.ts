import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditRecord } from '../access/audit/audit-record.js';
import type { WalkedSession } from '../tn3270/conversation/conversation.js';
import type { FileTransferEnd } from '../tn3270/conversation/file-transfer.js';

/** The client, the host of the session, and the service whose steps are taken. */
interface TransferCircumstances {
  readonly by: Actor;
  readonly host: string;
  readonly service: string;
}

/** A transfer that the audit trail keeps as failed. */
class UntransferredError extends Error {
  constructor(readonly end: FileTransferEnd) {
    super('the file was not transferred');
  }
}

/**
 * A session whose file transfers are in the audit trail: the intent before the host receives the command, the outcome afterwards.
 * `transferFile` throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE before anything is typed.
 */
export function withRecordedTransfers(
  session: WalkedSession,
  audit: Pick<AuditRecord, 'record'>,
  { by, host, service }: TransferCircumstances,
): WalkedSession {
  return {
    get image() {
      return session.image;
    },
    get isSettled() {
      return session.isSettled;
    },
    settled: (wait) => session.settled(wait),
    expect: (definitions, expectation) => session.expect(definitions, expectation),
    step: (step) => session.step(step),
    readTable: (reading) => session.readTable(reading),
    transferFile: async (wanted) => {
      const { direction, hostFile, file } = wanted;
      const entry: AuditEntry = {
        who: by.who,
        from: by.from,
        what: direction === 'send' ? 'file.sent' : 'file.received',
        subject: `host ${host}`,
        after: { service, file: hostFile, bytes: file?.length },
      };
      const transfer = async () => {
        const end = await session.transferFile(wanted);
        if (end.kind === 'failed') throw new UntransferredError(end);
        return end;
      };
      return audit.record(entry, transfer).catch((error: unknown) => {
        if (error instanceof UntransferredError) return error.end;
        throw error;
      });
    },
  };
}
