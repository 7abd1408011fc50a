/** Commands that follow IAC (RFC 854; EOR: RFC 885). */
export const telnetCommands = {
  endOfRecord: 239,
  subnegotiationEnd: 240,
  noOperation: 241,
  dataMark: 242,
  break: 243,
  interruptProcess: 244,
  abortOutput: 245,
  areYouThere: 246,
  eraseCharacter: 247,
  eraseLine: 248,
  goAhead: 249,
  subnegotiation: 250,
  will: 251,
  wont: 252,
  do: 253,
  dont: 254,
  interpretAsCommand: 255,
} as const;

export const IAC = telnetCommands.interpretAsCommand;

export type NegotiationVerb = 'will' | 'wont' | 'do' | 'dont';

/** Options (IANA "TELNET Options"). */
export const telnetOptions = {
  binary: 0,
  echo: 1,
  suppressGoAhead: 3,
  timingMark: 6,
  terminalType: 24,
  endOfRecord: 25,
  windowSize: 31,
  newEnvironment: 39,
  tn3270e: 40,
  startTls: 46,
} as const;

/** First byte of the subnegotiations of TTYPE and NEW-ENVIRON. */
export const optionRequests = { is: 0, send: 1, info: 2 } as const;
