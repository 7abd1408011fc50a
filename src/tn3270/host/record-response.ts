import { type DataStreamFault, programChecks } from '../datastream/data-stream-handler.js';
import { encodeRecord } from '../telnet/telnet-encoder.js';
import {
  DEVICE_END,
  dataTypes,
  encodeTn3270eHeader,
  negativeResponses,
  nextSequenceNumber,
  responseFlags,
  responseKinds,
  type Tn3270eHeader,
} from '../telnet/tn3270e-header.js';

export class OutboundHeaders {
  #sequenceNumber = 0;

  next(dataType: number, isNumbered: boolean): Uint8Array {
    const header = { dataType, requestFlag: 0, responseFlag: 0, sequenceNumber: this.#sequenceNumber };
    if (isNumbered) this.#sequenceNumber = nextSequenceNumber(this.#sequenceNumber);
    return encodeTn3270eHeader(header);
  }
}

export const unusableRecords = {
  tooLong: (what: string): DataStreamFault => ({
    sense: 'commandReject',
    programCheck: programChecks.order,
    reason: `a ${what} that is too long`,
    offset: 0,
  }),
  short: {
    sense: 'commandReject',
    programCheck: programChecks.command,
    reason: 'a record shorter than the TN3270E header',
    offset: 0,
  },
} as const;

/**
 * Returns the response to a record if its header requests one (RFC 2355, section 10.4). It is sent even if RESPONSES
 * was not agreed: a host that sets the flag waits for the response.
 */
export function responseTo(
  header: Tn3270eHeader,
  refusal: keyof typeof negativeResponses | undefined,
): Uint8Array | undefined {
  const { error, always } = responseFlags;
  if (refusal === undefined) return header.responseFlag === always ? positiveResponseTo(header) : undefined;
  const isWanted = header.responseFlag === error || header.responseFlag === always;
  return isWanted ? response(header, responseKinds.negative, negativeResponses[refusal]) : undefined;
}

export function positiveResponseTo(header: Tn3270eHeader): Uint8Array {
  return response(header, responseKinds.positive, DEVICE_END);
}

function response({ sequenceNumber }: Tn3270eHeader, responseFlag: number, code: number): Uint8Array {
  const header = encodeTn3270eHeader({ dataType: dataTypes.response, requestFlag: 0, responseFlag, sequenceNumber });
  return encodeRecord(Uint8Array.of(code), header);
}
