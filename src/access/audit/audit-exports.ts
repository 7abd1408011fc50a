import { ServiceError } from '../../lib/errors.js';
import { type Actor, type AuditLine, textOfLine } from './audit-entry.js';
import type { AuditQuery } from './audit-reading.js';
import type { AuditTrail } from './audit-trail.js';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface ExportWanted {
  readonly format: ExportFormat;
  readonly query: AuditQuery;
}

interface AuditExport {
  /** Parts of the text, read from the trail on demand. If the trail cannot be read, the iteration throws. */
  readonly pieces: AsyncIterable<string>;
  close(): void;
}

const MOST_EXPORTS = 4;
const PIECE_CHARACTERS = 65_536;

const columns = [
  'sequence',
  'time',
  'who',
  'from',
  'what',
  'subject',
  'stage',
  'intent',
  'before',
  'after',
  'previous',
];
/** Text that spreadsheets treat as a formula starts with one of these. */
const FORMULA = /^[=+\-@\t\r\n]/;
/** Line ends and tabs are allowed in a cell. */
const TERMINAL_CODES = /(?![\t\r\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Exports of the audit trail. Each export is recorded before the trail is read. */
export class AuditExports {
  readonly #audit: () => AuditTrail;
  readonly #open = new Set<symbol>();

  constructor(audit: () => AuditTrail) {
    this.#audit = audit;
  }

  /**
   * Exports all matching entries written so far, newest first, as CSV with a header (RFC 4180) or as JSON lines.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_AUDIT_UNAVAILABLE
   */
  async begin(actor: Actor, { format, query }: ExportWanted): Promise<AuditExport> {
    if (this.#open.size >= MOST_EXPORTS) {
      const detail = `${MOST_EXPORTS} exports of the audit trail are running.`;
      throw new ServiceError('SVC_ERR_SERVICE_BUSY', { detail });
    }
    const audit = this.#audit();
    const place = Symbol(format);
    this.#open.add(place);
    const close = () => void this.#open.delete(place);
    try {
      const last = (await audit.head())?.sequence ?? 0;
      const after = { format, upTo: last, ...query };
      await audit.note({ ...actor, what: 'audit.exported', subject: 'audit trail', after });
      return { pieces: piecesOf(audit.search(query, { before: last + 1 }), format, close), close };
    } catch (error) {
      close();
      throw error;
    }
  }
}

export async function* piecesOf(
  lines: AsyncIterable<AuditLine>,
  format: ExportFormat,
  close: () => void = () => {},
): AsyncGenerator<string> {
  let piece = headingOf(format);
  try {
    for await (const line of lines) {
      piece += exportLine(line, format);
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  } finally {
    close();
  }
}

function headingOf(format: ExportFormat): string {
  return format === 'csv' ? `${columns.join(',')}\r\n` : '';
}

function exportLine(line: AuditLine, format: ExportFormat): string {
  if (format === 'jsonl') return `${textOfLine(line)}\n`;
  return `${columns.map((column) => cell((line as unknown as Record<string, unknown>)[column])).join(',')}\r\n`;
}

/** Prefixes text that a spreadsheet would calculate with an apostrophe, and escapes terminal control characters. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(TERMINAL_CODES, jsonEscape);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

function jsonEscape(code: string): string {
  return `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
