import { findCommand } from './commands.js';
import type { DataStreamFault, DataStreamHandler } from './data-stream-handler.js';
import { programChecks } from './program-checks.js';
import { decodeStructuredFields } from './structured-field-decoder.js';
import { decodeWrite } from './write-decoder.js';

/**
 * Carries out one outbound record, between two IAC EOR and without the TN3270E header, by calling the handler
 * (GA23-0059, chapters 3 to 5). Never throws for what is in the record; takes time linear in its length and in the size
 * of the presentation space for each order that fills.
 * @returns the fault that stopped it, or that one of its structured fields had. The handler has then seen what came before.
 */
export function decodeOutboundRecord(record: Uint8Array, handler: DataStreamHandler): DataStreamFault | undefined {
  const code = record[0];
  if (code === undefined) return undefined;
  const command = findCommand(code);
  switch (command) {
    case 'write':
    case 'eraseWrite':
    case 'eraseWriteAlternate':
      return decodeWrite(command, record, 0, record.length, handler);
    case 'eraseAllUnprotected':
      handler.eraseAllUnprotected();
      return undefined;
    case 'readBuffer':
    case 'readModified':
    case 'readModifiedAll':
      handler.read(command);
      return undefined;
    case 'writeStructuredField':
      return decodeStructuredFields(record, 1, record.length, handler);
    case 'noOperation':
      return undefined;
    case undefined:
      return {
        sense: 'commandReject',
        programCheck: programChecks.command,
        reason: `0x${code.toString(16).padStart(2, '0')} is no command`,
        offset: 0,
      };
  }
}
