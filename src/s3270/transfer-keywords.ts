/** Values that a keyword takes; undefined: any text. A number is one of at least 1. */
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
  // judged with the allocation
  avblock: undefined,
  buffersize: 'number',
  otheroptions: undefined,
} as const satisfies Readonly<Record<string, readonly string[] | 'number' | undefined>>;

export type TransferKeyword = keyof typeof transferKeywords;
/** What `Transfer` is told, or has from resources. */
export type TransferWords = Readonly<Partial<Record<TransferKeyword, string>>>;
