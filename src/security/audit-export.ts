import type { AuditLine } from './audit-entry.js';

export const exportFormats = ['csv', 'jsonl'] as const;
type ExportFormat = (typeof exportFormats)[number];

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
/** What spreadsheets take for a formula, wherever the text came from. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Entries for other programs: CSV with a heading (RFC 4180), or JSON objects as they stand in the trail, one a line. */
export function exportText(lines: readonly AuditLine[], format: ExportFormat): string {
  if (format === 'jsonl') return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const rows = lines.map((line) => columns.map((column) => cell((line as unknown as Record<string, unknown>)[column])));
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would calculate has an apostrophe before it. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
