/** Codes in TN3270E subnegotiations (RFC 2355, section 7). */
export const tn3270eWords = {
  associate: 0x00,
  connect: 0x01,
  deviceType: 0x02,
  functions: 0x03,
  is: 0x04,
  reason: 0x05,
  reject: 0x06,
  request: 0x07,
  send: 0x08,
} as const;

export type Tn3270eFunction =
  | 'bindImage'
  | 'dataStreamControl'
  | 'responses'
  | 'scsControlCodes'
  | 'sysReq'
  | 'contentionResolution'
  | 'snaSense';

/** RFC 2355, section 7.2.2, and the contention-resolution draft. */
const tn3270eFunctionCodes: Readonly<Record<Tn3270eFunction, number>> = {
  bindImage: 0x00,
  dataStreamControl: 0x01,
  responses: 0x02,
  scsControlCodes: 0x03,
  sysReq: 0x04,
  contentionResolution: 0x05,
  snaSense: 0x06,
};

const functionOfCode: ReadonlyMap<number, Tn3270eFunction> = new Map(
  (Object.keys(tn3270eFunctionCodes) as Tn3270eFunction[]).map((name) => [tn3270eFunctionCodes[name], name]),
);

export const tn3270eFunctionNames: Readonly<Record<Tn3270eFunction, string>> = {
  bindImage: 'BIND-IMAGE',
  contentionResolution: 'CONTENTION-RESOLUTION',
  dataStreamControl: 'DATA-STREAM-CTL',
  responses: 'RESPONSES',
  scsControlCodes: 'SCS-CTL-CODES',
  snaSense: 'SNA-SENSE',
  sysReq: 'SYSREQ',
};

export function decodeFunctions(codes: Uint8Array): Set<Tn3270eFunction> {
  const functions = new Set<Tn3270eFunction>();
  for (const code of codes) {
    const name = functionOfCode.get(code);
    if (name !== undefined) functions.add(name);
  }
  return functions;
}

export function encodeFunctions(functions: ReadonlySet<Tn3270eFunction>): number[] {
  return [...functions].map((name) => tn3270eFunctionCodes[name]).sort((left, right) => left - right);
}

/** Reasons for rejecting a device type request (RFC 2355, section 7.1.6). */
export const rejectReasons = {
  connectedPartner: 0x00,
  deviceInUse: 0x01,
  invalidAssociation: 0x02,
  invalidName: 0x03,
  invalidDeviceType: 0x04,
  typeNameError: 0x05,
  unknownError: 0x06,
  unsupportedRequest: 0x07,
} as const;

export type RejectReason = keyof typeof rejectReasons;

export const rejectWords: Readonly<Record<RejectReason, string>> = {
  connectedPartner: 'it is the printer of a display, and only that display has it',
  deviceInUse: 'it is in use',
  invalidAssociation: 'it is no display that has a printer',
  invalidName: 'the host does not know its name',
  invalidDeviceType: 'the host does not take this type of device',
  typeNameError: 'it is a device of another type',
  unknownError: 'the host gives no reason',
  unsupportedRequest: 'the host cannot give what was asked for',
};

const reasonOfCode: ReadonlyMap<number, RejectReason> = new Map(
  (Object.keys(rejectReasons) as RejectReason[]).map((name) => [rejectReasons[name], name]),
);

export function findRejectReason(code: number | undefined): RejectReason {
  return (code === undefined ? undefined : reasonOfCode.get(code)) ?? 'unknownError';
}

/** Device names and terminal types are ASCII (RFC 1091, RFC 2355). */
const LONGEST_NAME = 64;
const MOST_DIGITS = 15;

export function encodeName(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0) & 0x7f);
}

/** Removes blanks and control characters and truncates the name, so that it is safe in logs and pages. */
export function decodeName(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, LONGEST_NAME).filter((byte) => byte > 0x20 && byte < 0x7f));
}

/** Replaces a run of `=` by the number, zero-padded to its length, or by all nines if the number is too long. */
export function numberedName(written: string, number: number): string {
  return written.replace(/=+/, ({ length }) =>
    String(Math.min(number, 10 ** Math.min(length, MOST_DIGITS) - 1)).padStart(length, '0'),
  );
}
