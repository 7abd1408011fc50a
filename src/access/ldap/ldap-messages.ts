/** BER element: its tag and the offsets of its contents. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

const tags = {
  integer: 0x02,
  octetString: 0x04,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
  bindResponse: 0x61,
  searchResultEntry: 0x64,
  searchResultDone: 0x65,
  searchResultReference: 0x73,
  extendedResponse: 0x78,
  controls: 0xa0,
} as const;

const LONGEST_HEADER = 6;
const NOT_LDAP = 'the received data is not LDAP';

/**
 * Splits received data into messages (RFC 4511, 4.1.1) and checks their form. ldapts trusts the lengths inside a
 * message: a length that points past the end makes it loop forever, so 14 bytes could stop the process.
 */
export class LdapMessages {
  readonly #mostBytes: number;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #wantedBytes = 2;
  #count = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** True if exactly one message was received. */
  get hasOne(): boolean {
    return this.#count === 1 && this.#heldBytes === 0;
  }

  /** @throws Error if the data is not LDAP or a message is too long */
  take(chunk: Buffer): Buffer[] {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes < this.#wantedBytes) return [];
    let rest = Buffer.concat(this.#held.splice(0));
    const messages: Buffer[] = [];
    for (;;) {
      const length = lengthOfMessage(rest);
      if (length !== undefined && length > this.#mostBytes) throw new Error(`more than ${this.#mostBytes} bytes`);
      this.#wantedBytes = length ?? rest.length + 1;
      if (length === undefined || rest.length < length) break;
      messages.push(checked(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    if (rest.length > 0) this.#held.push(rest);
    this.#heldBytes = rest.length;
    this.#count += messages.length;
    return messages;
  }
}

function lengthOfMessage(bytes: Buffer): number | undefined {
  if (bytes.length > 0 && bytes[0] !== tags.sequence) throw new Error(NOT_LDAP);
  const first = bytes[1];
  if (first === undefined) return undefined;
  const header = first < 0x80 ? 2 : 2 + (first & 0x7f);
  if (header === 2 && first >= 0x80) throw new Error(NOT_LDAP);
  if (header > LONGEST_HEADER) throw new Error(NOT_LDAP);
  if (bytes.length < header) return undefined;
  return header + (first < 0x80 ? first : bytes.readUIntBE(2, header - 2));
}

function checked(message: Buffer): Buffer {
  const parts = childrenOf(message, elementAt(message, 0, message.length));
  const [id, operation, controls] = parts;
  const isEnvelope = id?.tag === tags.integer && (controls === undefined || controls.tag === tags.controls);
  if (!isEnvelope || operation === undefined || parts.length > 3) throw new Error(NOT_LDAP);
  checkOperation(message, operation);
  if (controls) for (const control of allOf(message, controls, tags.sequence)) childrenOf(message, control);
  return message;
}

function checkOperation(message: Buffer, operation: Element): void {
  switch (operation.tag) {
    case tags.bindResponse:
    case tags.searchResultDone:
    case tags.extendedResponse:
      beginningOf(message, operation, tags.enumerated, tags.octetString, tags.octetString);
      return;
    case tags.searchResultReference:
      allOf(message, operation, tags.octetString);
      return;
    case tags.searchResultEntry: {
      const [, attributes] = beginningOf(message, operation, tags.octetString, tags.sequence);
      if (attributes === undefined) return;
      for (const attribute of allOf(message, attributes, tags.sequence)) {
        const [, values] = beginningOf(message, attribute, tags.octetString, tags.set);
        if (values) allOf(message, values, tags.octetString);
      }
      return;
    }
    default:
      throw new Error(NOT_LDAP);
  }
}

function allOf(bytes: Buffer, parent: Element, tag: number): Element[] {
  const children = childrenOf(bytes, parent);
  if (children.some((child) => child.tag !== tag)) throw new Error(NOT_LDAP);
  return children;
}

function beginningOf(bytes: Buffer, parent: Element, ...expected: readonly number[]): Element[] {
  const children = childrenOf(bytes, parent);
  if (expected.some((tag, index) => children[index]?.tag !== tag)) throw new Error(NOT_LDAP);
  return children;
}

function childrenOf(bytes: Buffer, { start, end }: Element): Element[] {
  const children: Element[] = [];
  for (let at = start; at < end; ) {
    const child = elementAt(bytes, at, end);
    children.push(child);
    at = child.end;
  }
  return children;
}

function elementAt(bytes: Buffer, at: number, end: number): Element {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || at + 2 > end) throw new Error(NOT_LDAP);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  if (first === 0x80 || lengthBytes > 4 || start > end) throw new Error(NOT_LDAP);
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  if (start + length > end) throw new Error(NOT_LDAP);
  return { tag, start, end: start + length };
}

export const ldapResultCodes = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  authMethodNotSupported: 7,
  strongerAuthRequired: 8,
  referral: 10,
  adminLimitExceeded: 11,
  confidentialityRequired: 13,
  constraintViolation: 19,
  noSuchObject: 32,
  invalidDNSyntax: 34,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
} as const;

const names = new Map<number, string>(Object.entries(ldapResultCodes).map(([name, code]) => [code, name]));

/**
 * Result codes of a bind that are the user's fault: a wrong password, no such entry, an entry without a password, a
 * locked entry (servers with password policies return 19, 49 or 53), or an entry on another server. Other codes are
 * errors of the server.
 */
const refusals: ReadonlySet<number> = new Set([
  ldapResultCodes.referral,
  ldapResultCodes.constraintViolation,
  ldapResultCodes.noSuchObject,
  ldapResultCodes.invalidDNSyntax,
  ldapResultCodes.inappropriateAuthentication,
  ldapResultCodes.invalidCredentials,
  ldapResultCodes.insufficientAccessRights,
  ldapResultCodes.unwillingToPerform,
]);

export function isRefusal(code: number): boolean {
  return refusals.has(code);
}

/** Never includes the text from the server, which could contain a password. */
export function resultText(code: number): string {
  return `${names.get(code) ?? 'result code'} (${code})`;
}
