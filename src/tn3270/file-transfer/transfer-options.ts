import type { Reason } from '../../lib/locale.js';
import { readAs } from '../../lib/read-outcome.js';
import { type ReasonedOutcome, type ReasonFault, reasonFault } from '../../lib/reasons.js';

export const transferHosts = ['tso', 'vm', 'cics'] as const;
type TransferHost = (typeof transferHosts)[number];

/** Attributes of a new file on the host. The callers map their own option names and messages to these. */
export type FileAttribute =
  | 'recordFormat'
  | 'recordLength'
  | 'blockSize'
  | 'primarySpace'
  | 'secondarySpace'
  | 'spaceUnit'
  | 'averageBlock';

interface AttributeRule {
  readonly hosts: readonly TransferHost[];
  readonly needs?: FileAttribute;
}

export const attributeRules: Readonly<Record<FileAttribute, AttributeRule>> = {
  recordFormat: { hosts: ['tso', 'vm'] },
  recordLength: { hosts: ['tso', 'vm'], needs: 'recordFormat' },
  blockSize: { hosts: ['tso'], needs: 'recordFormat' },
  primarySpace: { hosts: ['tso'] },
  secondarySpace: { hosts: ['tso'], needs: 'primarySpace' },
  spaceUnit: { hosts: ['tso'], needs: 'primarySpace' },
  averageBlock: { hosts: ['tso'], needs: 'primarySpace' },
};

const attributes = Object.keys(attributeRules) as FileAttribute[];

export type BrokenRule =
  | { readonly kind: 'isReceived'; readonly attribute: FileAttribute }
  | { readonly kind: 'otherHost'; readonly attribute: FileAttribute }
  | { readonly kind: 'undefinedOnVm' }
  | { readonly kind: 'needs'; readonly attribute: FileAttribute; readonly needed: FileAttribute }
  | { readonly kind: 'needsAverageBlock' | 'needsAverageBlockUnit' };

interface GivenAttributes extends Readonly<Partial<Record<FileAttribute, string | number | undefined>>> {
  readonly direction: 'send' | 'receive';
  readonly host: TransferHost;
}

export function brokenRule(given: GivenAttributes): BrokenRule | undefined {
  const { direction, host, recordFormat, spaceUnit, averageBlock } = given;
  const present = attributes.filter((name) => given[name] !== undefined);
  const [first] = present;
  if (direction === 'receive' && first !== undefined) return { kind: 'isReceived', attribute: first };
  const elsewhere = present.find((name) => !attributeRules[name].hosts.includes(host));
  if (elsewhere !== undefined) return { kind: 'otherHost', attribute: elsewhere };
  if (host === 'vm' && recordFormat === 'undefined') return { kind: 'undefinedOnVm' };
  for (const attribute of present) {
    const { needs } = attributeRules[attribute];
    if (needs !== undefined && given[needs] === undefined) return { kind: 'needs', attribute, needed: needs };
  }
  if (spaceUnit === 'avblock' && averageBlock === undefined) return { kind: 'needsAverageBlock' };
  return spaceUnit !== 'avblock' && averageBlock !== undefined ? { kind: 'needsAverageBlockUnit' } : undefined;
}

export function attributesThatNeed(needed: FileAttribute): readonly FileAttribute[] {
  return attributes.filter((name) => attributeRules[name].needs === needed);
}

export const recordFormats = ['fixed', 'variable', 'undefined'] as const;
type RecordFormat = (typeof recordFormats)[number];
export const spaceUnits = ['tracks', 'cylinders', 'avblock'] as const;

interface TransferSpace {
  /** Undefined: blocks of the data set. */
  readonly unit?: (typeof spaceUnits)[number] | undefined;
  readonly primary: number;
  readonly secondary?: number | undefined;
  readonly averageBlock?: number | undefined;
}

export interface TransferOptions {
  readonly direction: 'send' | 'receive';
  readonly host: TransferHost;
  /** Name in the syntax of the host: `'USER.SOURCE(MEMBER)'`, `PROFILE EXEC A`. */
  readonly hostFile: string;
  readonly text: boolean;
  /** Each line of text is a record on the host (CRLF). */
  readonly lines: boolean;
  readonly append?: boolean | undefined;
  readonly recordFormat?: RecordFormat | undefined;
  readonly recordLength?: number | undefined;
  readonly blockSize?: number | undefined;
  readonly space?: TransferSpace | undefined;
  readonly otherOptions?: string | undefined;
  /** Type a blank in place of the keyword ASCII if the transfer is binary, as s3270 does. */
  readonly isSpaced?: boolean | undefined;
}

export const MOST_RECORD_LENGTH = 32_767;
export const MOST_SPACE = 999_999;
/** Bounds of the size of a DFT record to the host. */
export const LEAST_BUFFER_BYTES = 256;
export const MOST_BUFFER_BYTES = 16_384;
const LONGEST_OTHER_OPTIONS = 200;
const LONGEST_DATA_SET = 44;

const qualifier = '[A-Z@#$][A-Z0-9@#$-]{0,7}';
const dataSet = new RegExp(`^(?:${qualifier}\\.)*${qualifier}(?:\\([A-Z@#$][A-Z0-9@#$]{0,7}\\))?$`, 'i');
const hostFiles: Readonly<
  Record<TransferHost, { readonly isName: (name: string) => boolean; readonly rule: Reason['code'] }>
> = {
  tso: {
    isName: (name) => {
      const plain = /^'(.*)'$/.exec(name)?.[1] ?? name;
      return dataSet.test(plain) && plain.replace(/\(.*/, '').length <= LONGEST_DATA_SET;
    },
    rule: 'transfer.tsoName',
  },
  vm: {
    isName: (name) => /^[\w@#$+:-]{1,8} [\w@#$+:-]{1,8}(?: [A-Z][0-6]?)?$/i.test(name),
    rule: 'transfer.vmName',
  },
  cics: { isName: (name) => /^[\w@#$.-]{1,44}$/.test(name), rule: 'transfer.cicsName' },
};

export function transferCommand(options: TransferOptions): ReasonedOutcome<string> {
  const fault = faultOf(options);
  if (fault !== undefined) return fault;
  const words = optionWords(options);
  const { direction, host, hostFile, isSpaced = false } = options;
  // TSO takes keywords; VM and CICS take options after a parenthesis
  const opening = host === 'tso' ? ' ' : ' (';
  const separator = words.length === 0 && !isSpaced ? '' : opening;
  const blank = isSpaced && words.length > 0 && host !== 'cics' && !options.text ? ' ' : '';
  return readAs(`IND$FILE ${direction === 'send' ? 'PUT' : 'GET'} ${hostFile}${separator}${blank}${words.join(' ')}`);
}

function faultOf(options: TransferOptions): ReasonFault | undefined {
  const { host, hostFile, recordLength, blockSize, space, otherOptions = '' } = options;
  const { isName, rule } = hostFiles[host];
  if (!isName(hostFile)) return reasonFault(rule);
  const broken = brokenRule({
    ...options,
    primarySpace: space?.primary,
    secondarySpace: space?.secondary,
    spaceUnit: space?.unit,
    averageBlock: space?.averageBlock,
  });
  if (broken !== undefined) return reasonFault(reasonOfRule(broken));
  for (const [code, value] of [
    ['transfer.recordLength', recordLength],
    ['transfer.blockSize', blockSize],
  ] as const) {
    if (value !== undefined && !isWithin(value, MOST_RECORD_LENGTH))
      return reasonFault(code, { most: MOST_RECORD_LENGTH });
  }
  if (!/^[ -~]*$/.test(otherOptions) || otherOptions.length > LONGEST_OTHER_OPTIONS) {
    return reasonFault('transfer.otherOptions', { most: LONGEST_OTHER_OPTIONS });
  }
  return space === undefined ? undefined : faultOfSpace(space);
}

function reasonOfRule(broken: BrokenRule): Reason['code'] {
  switch (broken.kind) {
    case 'isReceived':
      return 'transfer.receives';
    case 'otherHost':
      return broken.attribute === 'recordFormat' || broken.attribute === 'recordLength'
        ? 'transfer.cicsRecords'
        : 'transfer.tsoOnly';
    case 'undefinedOnVm':
      return 'transfer.vmRecords';
    case 'needs':
      return broken.needed === 'recordFormat' ? 'transfer.needsFormat' : 'transfer.needsPrimary';
    default:
      return 'transfer.averageBlock';
  }
}

function faultOfSpace({ primary, secondary, averageBlock }: TransferSpace): ReasonFault | undefined {
  if (!isWithin(primary, MOST_SPACE)) return reasonFault('transfer.primarySpace', { most: MOST_SPACE });
  if (secondary !== undefined && !isWithin(secondary, MOST_SPACE))
    return reasonFault('transfer.secondarySpace', { most: MOST_SPACE });
  return averageBlock === undefined || isWithin(averageBlock, MOST_RECORD_LENGTH)
    ? undefined
    : reasonFault('transfer.averageBytes', { most: MOST_RECORD_LENGTH });
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

function optionWords({
  direction,
  host,
  text,
  lines,
  append,
  otherOptions = '',
  ...attributes
}: TransferOptions): string[] {
  const words: string[] = [];
  if (text) words.push('ASCII');
  else if (host === 'cics') words.push('BINARY');
  if (text && lines) words.push('CRLF');
  else if (host === 'cics') words.push('NOCRLF');
  if (direction === 'send') {
    if (append === true) words.push('APPEND');
    words.push(...attributeWords(host, attributes));
  }
  if (otherOptions.trim() !== '') words.push(otherOptions.trim());
  return words;
}

type Attributes = Pick<TransferOptions, 'recordFormat' | 'recordLength' | 'blockSize' | 'space'>;

function attributeWords(host: TransferHost, { recordFormat, recordLength, blockSize, space }: Attributes): string[] {
  const words: string[] = [];
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(host === 'vm' ? `${name} ${value}` : `${name}(${value})`);
  };
  put('RECFM', recordFormat?.charAt(0).toUpperCase());
  put('LRECL', recordLength);
  put('BLKSIZE', blockSize);
  if (space === undefined) return words;
  put('SPACE', space.secondary === undefined ? space.primary : `${space.primary},${space.secondary}`);
  if (space.unit === 'avblock') put('AVBLOCK', space.averageBlock);
  else if (space.unit !== undefined) words.push(space.unit.toUpperCase());
  return words;
}
