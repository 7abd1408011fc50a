/** Record types of a TN3270E connection (RFC 2355, section 8.1; BID: the contention-resolution draft). */
export const dataTypes = {
  data3270: 0x00,
  scsData: 0x01,
  response: 0x02,
  bindImage: 0x03,
  unbind: 0x04,
  nvtData: 0x05,
  request: 0x06,
  sscpLuData: 0x07,
  printEndOfJob: 0x08,
  bid: 0x09,
} as const;

/** Response flags of data records: responses required from the receiver. */
export const responseFlags = { none: 0x00, error: 0x01, always: 0x02 } as const;
/** Response flags of RESPONSE records. */
export const responseKinds = { positive: 0x00, negative: 0x01, sense: 0x02 } as const;

/** Request flags of 3270 data, if CONTENTION-RESOLUTION was agreed. */
export const requestFlags = { sendData: 0x01, keyboardRestore: 0x02, signal: 0x04 } as const;

/** The data byte of a positive response. */
export const DEVICE_END = 0x00;
/** The data byte of a negative response (RFC 2355, section 10.4.1). */
export const negativeResponses = {
  commandReject: 0x00,
  interventionRequired: 0x01,
  operationCheck: 0x02,
  componentDisconnected: 0x03,
} as const;

export const TN3270E_HEADER_BYTES = 5;
const HIGHEST_SEQUENCE_NUMBER = 0x7fff;

export interface Tn3270eHeader {
  readonly dataType: number;
  readonly requestFlag: number;
  readonly responseFlag: number;
  /** 0–32767. */
  readonly sequenceNumber: number;
}

/** Layout: data type, request flag, response flag, two bytes of sequence number. Undefined for a shorter record. */
export function decodeTn3270eHeader(record: Uint8Array): Tn3270eHeader | undefined {
  if (record.length < TN3270E_HEADER_BYTES) return undefined;
  const [dataType = 0, requestFlag = 0, responseFlag = 0, high = 0, low = 0] = record;
  return { dataType, requestFlag, responseFlag, sequenceNumber: (high << 8) | low };
}

export function encodeTn3270eHeader(header: Tn3270eHeader): Uint8Array {
  const { dataType, requestFlag, responseFlag, sequenceNumber } = header;
  return Uint8Array.of(dataType, requestFlag, responseFlag, (sequenceNumber >> 8) & 0xff, sequenceNumber & 0xff);
}

export function nextSequenceNumber(sequenceNumber: number): number {
  return sequenceNumber >= HIGHEST_SEQUENCE_NUMBER ? 0 : sequenceNumber + 1;
}
