import type { IncomingMessage } from 'node:http';

/** @param isRemoved receives names in lower case */
export function removeHeaders(request: IncomingMessage, isRemoved: (name: string) => boolean): void {
  const { rawHeaders } = request;
  if (!rawHeaders.some((text, at) => at % 2 === 0 && isRemoved(text.toLowerCase()))) return;
  // Node computes these from rawHeaders and the original header count at first access
  const { headers, headersDistinct } = request;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!isRemoved(name)) continue;
    rawHeaders.splice(at, 2);
    delete headers[name];
    delete headersDistinct[name];
  }
}
