import type { CodePage } from '../codepage/code-page.js';
import type { Screen } from '../screen/screen.js';
import type { ClientMode } from '../telnet/client-negotiation.js';
import type { TelnetHandler } from '../telnet/telnet-decoder.js';
import { encodeData, encodeNegotiation, encodeRecord, encodeSubnegotiation } from '../telnet/telnet-encoder.js';
import { dataTypes, TN3270E_HEADER_BYTES } from '../telnet/tn3270e-header.js';
import { hiddenText } from './hidden-text.js';
import { type HostTrace, maskRanges } from './host-trace.js';
import { inboundText, outboundText } from './record-text.js';

/** A session as it is before what the host sends is carried out. */
interface Overheard {
  readonly mode: ClientMode;
  readonly screen: Screen;
}

/**
 * The traces of a session: the one that it began with, of whoever drives it, with all that the host sends; and one that others
 * turn on and off, in which nothing can be read that the screen does not show, whoever sent it.
 */
export class SessionTraces {
  own: HostTrace | undefined;
  readonly #codePage: CodePage;
  /** Records of the screen that went to the host. */
  sentRecords = 0;
  /** Undefined: nobody else traces. */
  others: HostTrace | undefined;

  constructor(own: HostTrace | undefined, codePage: CodePage) {
    this.own = own;
    this.#codePage = codePage;
  }

  remark(text: string): void {
    this.own?.remark(text);
    this.others?.remark(text);
  }

  /** Bytes as they come; what is in them is told to others by the methods below. */
  received(chunk: Uint8Array): void {
    this.own?.received(chunk);
  }

  /** What the decoder finds, told to others before it is carried out. */
  overhear(session: Overheard, handler: TelnetHandler): TelnetHandler {
    return {
      ...handler,
      record: (bytes) => {
        this.#record(bytes, session);
        handler.record(bytes);
      },
      data: (bytes) => {
        this.others?.received(encodeData(bytes));
        handler.data(bytes);
      },
      negotiation: (verb, option) => {
        this.others?.received(encodeNegotiation(verb, option));
        handler.negotiation(verb, option);
      },
      subnegotiation: (body) => {
        this.others?.received(encodeSubnegotiation(body));
        handler.subnegotiation(body);
      },
    };
  }

  #record(bytes: Uint8Array, { mode, screen }: Overheard): void {
    if (this.others === undefined) return;
    const headBytes = mode === 'tn3270e' ? TN3270E_HEADER_BYTES : 0;
    const body = bytes.subarray(headBytes);
    const holdsScreen = headBytes === 0 || bytes[0] === dataTypes.data3270;
    const masked = holdsScreen ? maskRanges(body, hiddenText(body, screen.state.space)) : body;
    this.others.received(encodeRecord(masked, bytes.subarray(0, headBytes)));
    if (holdsScreen) this.others.words('<', outboundText(masked, this.#reading(screen)));
  }

  #reading({ state: { space } }: Screen) {
    // an erase may turn to the other size; addresses are of as many bits in both
    return { columns: space.columns, positions: space.positions, codePage: this.#codePage };
  }

  /** What was sent last was a record of the screen. @param masked as above */
  sentRecord(header: Uint8Array | undefined, masked: () => Uint8Array, screen: Screen): void {
    this.sentRecords++;
    if (header !== undefined && header[0] !== dataTypes.data3270) return;
    this.others?.words('>', inboundText(masked(), this.#reading(screen)));
  }

  /** @param masked what goes to the host, with nothing in it that the screen does not show */
  sent(masked: () => Uint8Array): void {
    if (this.own === undefined && this.others === undefined) return;
    const bytes = masked();
    this.own?.sent(bytes);
    this.others?.sent(bytes);
  }
}
