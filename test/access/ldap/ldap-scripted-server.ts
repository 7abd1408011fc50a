import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Tags of requests, and of the answer to each. */
export const ldapTags = { bind: 0x60, unbind: 0x42, search: 0x63, extended: 0x77 } as const;
const answerTags = new Map<number, number>([
  [ldapTags.bind, 0x61],
  [ldapTags.search, 0x65],
  [ldapTags.extended, 0x78],
]);

export interface LdapRequest {
  readonly id: number;
  readonly tag: number;
  readonly bytes: Buffer;
  readonly socket: Socket;
}

/** A server that a test makes say what it likes, in the BER of RFC 4511. */
export class ScriptedLdapServer {
  readonly connections: Socket[] = [];
  readonly requests: LdapRequest[] = [];
  readonly #server: Server;

  private constructor(respond: (request: LdapRequest) => void) {
    this.#server = createServer((socket) => {
      this.connections.push(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        const request = { ...headOf(bytes), bytes, socket };
        this.requests.push(request);
        respond(request);
      });
    });
  }

  static async start(respond: (request: LdapRequest) => void = () => {}): Promise<ScriptedLdapServer> {
    const server = new ScriptedLdapServer(respond);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  url(scheme: 'ldap' | 'ldaps' = 'ldap'): string {
    const address = this.#server.address();
    return `${scheme}://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** The result of a request, with words for people. */
export function result({ id, tag }: LdapRequest, code: number, words: Buffer = Buffer.alloc(0)): Buffer {
  const fields = [element(0x0a, Buffer.of(code)), element(0x04), element(0x04, words)];
  return message(id, element(answerTags.get(tag) ?? 0, ...fields));
}

/** The end of one page of a search (RFC 2696); an empty cookie: there is no next one. */
export function pageEnd({ id }: LdapRequest, cookie: string): Buffer {
  const value = element(0x30, element(0x02, Buffer.of(0)), element(0x04, Buffer.from(cookie)));
  const control = element(0x30, element(0x04, Buffer.from('1.2.840.113556.1.4.319')), element(0x04, value));
  const done = element(0x65, element(0x0a, Buffer.of(0)), element(0x04), element(0x04));
  return message(id, done, element(0xa0, control));
}

/** One entry of a search, with one attribute. */
export function foundEntry({ id }: LdapRequest, dn: string, attribute: string, value: string): Buffer {
  const values = element(0x31, element(0x04, Buffer.from(value)));
  const attributes = element(0x30, element(0x30, element(0x04, Buffer.from(attribute)), values));
  return message(id, element(0x64, element(0x04, Buffer.from(dn)), attributes));
}

function message(id: number, ...parts: Buffer[]): Buffer {
  return element(0x30, element(0x02, Buffer.of(id)), ...parts);
}

function element(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const header = Buffer.alloc(6);
  header[0] = tag;
  header[1] = 0x84;
  header.writeUInt32BE(content.length, 2);
  return Buffer.concat([header, content]);
}

/** The id, of one byte here, and the tag of the operation. */
function headOf(bytes: Buffer): { id: number; tag: number } {
  const first = bytes[1] ?? 0;
  const start = first < 0x80 ? 2 : 2 + (first & 0x7f);
  return { id: bytes[start + 2] ?? 0, tag: bytes[start + 3] ?? 0 };
}
