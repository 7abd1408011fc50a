import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What a node says of a request that it passes on. */
export interface CarriedRequest {
  /** The line that it came over, by its internal name. */
  readonly line: string;
  /** Address of the client. */
  readonly client: string;
  /** Whether the client came over TLS. */
  readonly isOverTls: boolean;
  /** The address that the client has reached. */
  readonly reached: string;
  /** The code of the one that is to do what the node has done already, which sees to all others. */
  readonly repeatedBy?: string | undefined;
}

const HEADER = 'sallyport-carried';
/** RFC 9110, section 7.6.1, and what only the next node is told. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // it was answered by the node that reads the body
  'expect',
  HEADER,
]);

export function carriedHeader(carried: CarriedRequest): readonly [string, string] {
  return [HEADER, encodeURIComponent(JSON.stringify(carried))];
}

/** What a node has said of a request; undefined: nothing that can be read. Only the internal line believes it. */
export function carriedRequest(headers: IncomingHttpHeaders): CarriedRequest | undefined {
  const said = headers[HEADER];
  if (typeof said !== 'string') return undefined;
  try {
    const { line, client, isOverTls, reached, repeatedBy } = JSON.parse(decodeURIComponent(said)) as Record<
      string,
      unknown
    >;
    if (typeof line !== 'string' || typeof client !== 'string' || typeof reached !== 'string') return undefined;
    return {
      line,
      client,
      isOverTls: isOverTls === true,
      reached,
      ...(typeof repeatedBy === 'string' ? { repeatedBy } : {}),
    };
  } catch {
    return undefined;
  }
}

/** Takes what a node has said out of a request: nobody behind the internal line sees it. */
export function withoutCarried(request: IncomingMessage): void {
  const { rawHeaders, headers } = request;
  delete headers[HEADER];
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === HEADER) rawHeaders.splice(index, 2);
  }
}

/** Headers that go on to the next hop, as a flat list of names and values. */
export function passedHeaders({ rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const folded = name.toLowerCase();
    if (!hopByHop.has(folded) && !named.includes(folded)) passed.push(name, rawHeaders[index + 1] ?? '');
  }
  return passed;
}
