import type { IncomingMessage } from 'node:http';

/** Removes headers from a request as if they had not come. @param isRemoved of a name in lower case */
export function removeHeaders(request: IncomingMessage, isRemoved: (name: string) => boolean): void {
  const { rawHeaders } = request;
  if (!rawHeaders.some((text, at) => at % 2 === 0 && isRemoved(text.toLowerCase()))) return;
  // Node makes these of rawHeaders and of the number that it has had, when they are first asked for
  const { headers, headersDistinct } = request;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!isRemoved(name)) continue;
    rawHeaders.splice(at, 2);
    delete headers[name];
    delete headersDistinct[name];
  }
}
