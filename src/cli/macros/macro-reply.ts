const LONGEST_REASON = 300;
const LONGEST_TEXT_SEARCHED = 4096;
/** `hhmmss ` before each message (reference 5.5), and what says nothing about a refusal. */
const TIME = /^\d{6} /;
const EVERYDAY = /^(RETURN CODE IS:|MESSAGE RECEIVED$)/;

/** The digits behind `RETURN CODE IS:` in the reply to an upload (contract, "Macro administration"). */
export function readReturnCode(text: string): string | undefined {
  return /^RETURN CODE IS:[ \t]*(\d{1,4})\b/m.exec(text)?.[1];
}

/** What a reply says of a refusal: the lines beside the return code, the message of JSON, or a page without its markup. */
export function readReason(text: string, contentType = ''): string {
  const searched = text.slice(0, LONGEST_TEXT_SEARCHED);
  const said = readJsonMessage(text, contentType) ?? (/html/i.test(contentType) ? withoutMarkup(searched) : searched);
  const lines = said.split(/\r?\n/).map((line) => line.trim().replace(TIME, ''));
  const reason = lines.filter((line) => line !== '' && !EVERYDAY.test(line)).join('; ');
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}

function readJsonMessage(text: string, contentType: string): string | undefined {
  if (!/json/i.test(contentType)) return undefined;
  try {
    const { message } = Object(JSON.parse(text)) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function withoutMarkup(page: string): string {
  return page
    .replace(/<(style|script|title)\b[^>]*>[^<]*<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}
