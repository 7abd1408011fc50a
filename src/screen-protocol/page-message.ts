/** `p` the number of the page, where it has one from before; `r` the revision it shows. */
interface HelloMessage {
  readonly k: 'h';
  readonly p?: number | undefined;
  readonly r?: number | undefined;
}

/** What is submitted, whatever its number. */
export interface SubmitMembers {
  /** The attention key. */
  readonly a: string;
  /** Address of the cursor. */
  readonly u?: number | undefined;
  /** The fields that were typed into, by their ids. */
  readonly f?: Readonly<Record<string, string>> | undefined;
  /** The session key, where there is a new one. */
  readonly s?: string | undefined;
}

export interface SubmitMessage extends SubmitMembers {
  readonly k: 'k';
  readonly i: number;
}

/** What a page says (docs/screen-protocol.md). */
export type PageMessage = HelloMessage | SubmitMessage;
