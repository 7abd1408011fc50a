/** Values of each keyword; undefined: any text. Numbers start at 1. */
export const transferKeywords = {
  direction: ['receive', 'send'],
  hostfile: undefined,
  localfile: undefined,
  host: ['tso', 'vm', 'cics'],
  mode: ['ascii', 'binary'],
  cr: ['remove', 'add', 'keep', 'auto'],
  remap: ['yes', 'no'],
  exist: ['keep', 'replace', 'append'],
  recfm: ['default', 'fixed', 'variable', 'undefined'],
  lrecl: 'number',
  blksize: 'number',
  allocation: ['default', 'tracks', 'cylinders', 'avblock'],
  primaryspace: 'number',
  secondaryspace: 'number',
  // checked together with the allocation
  avblock: undefined,
  buffersize: 'number',
  otheroptions: undefined,
} as const satisfies Readonly<Record<string, readonly string[] | 'number' | undefined>>;

export type TransferKeyword = keyof typeof transferKeywords;
export type TransferWords = Readonly<Partial<Record<TransferKeyword, string>>>;
