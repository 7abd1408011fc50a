import type { PrintedLine, PrintedPage } from '../tn3270/print/printed-page.js';
import { LineTurns } from './line-turns.js';

const LINE_END = 0x0a;

/**
 * Pages as JSON Lines: of each page the number of its lines, and then these.
 * @returns undefined where there are more bytes
 */
export async function encodePages(pages: readonly PrintedPage[], mostBytes: number): Promise<Buffer | undefined> {
  const turns = new LineTurns();
  const parts: Buffer[] = [];
  let bytes = 0;
  const add = (text: string) => {
    const part = Buffer.from(text);
    bytes += part.length;
    parts.push(part);
  };
  for (const page of pages) {
    let text = `${page.length}\n`;
    for (const line of page) {
      text += `${JSON.stringify(line)}\n`;
      if (!turns.isOver) continue;
      add(text);
      text = '';
      if (bytes > mostBytes) return undefined;
      await turns.next();
    }
    add(text);
    if (bytes > mostBytes) return undefined;
  }
  return Buffer.concat(parts);
}

/** @throws SyntaxError where these are no pages */
export async function decodePages(content: Buffer): Promise<readonly PrintedPage[]> {
  const turns = new LineTurns();
  const pages: PrintedPage[] = [];
  let at = 0;
  const next = (): unknown => {
    const end = content.indexOf(LINE_END, at);
    if (end < 0) throw new SyntaxError('it ends in the middle');
    const value: unknown = JSON.parse(content.toString('utf8', at, end));
    at = end + 1;
    return value;
  };
  while (at < content.length) {
    const count = next();
    if (typeof count !== 'number') throw new SyntaxError('a page does not begin with the number of its lines');
    const page: PrintedLine[] = [];
    while (page.length < count) {
      page.push(next() as PrintedLine);
      if (turns.isOver) await turns.next();
    }
    pages.push(page);
  }
  return pages;
}
