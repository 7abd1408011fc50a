import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answer.js';
import type { StaticPage } from './client-site.js';
import { type AnswerIdentity, staticHeaders } from './response-headers.js';

/** A file as it is, or 304 where the client has it already (RFC 9110 section 13.1). */
export function staticAnswer(page: StaticPage, headers: IncomingHttpHeaders, identity: AnswerIdentity): Answer {
  if (isUnchanged(page, headers)) {
    return { status: 304, headers: staticHeaders(identity, page, undefined), body: Buffer.alloc(0) };
  }
  return { status: 200, headers: staticHeaders(identity, page, page.body.length), body: page.body };
}

/** If-None-Match decides where it is present; If-Modified-Since is then not looked at. */
function isUnchanged({ etag, lastModified }: StaticPage, headers: IncomingHttpHeaders): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) {
    return noneMatch
      .split(',')
      .some((candidate) => candidate.trim() === '*' || opaqueTag(candidate) === opaqueTag(etag));
  }
  const since = headers['if-modified-since'];
  if (since === undefined) return false;
  // HTTP dates have no fractions of a second; an unreadable date (NaN) compares false
  return Math.floor(lastModified.getTime() / 1_000) * 1_000 <= Date.parse(since);
}

function opaqueTag(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}
