export const transferHosts = ['tso', 'vm', 'cics'] as const;
export type TransferHost = (typeof transferHosts)[number];

/** What a file that is sent has on the host. Those who read options have names and words of their own for them. */
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
  /** Nothing without this one. */
  readonly needs?: FileAttribute;
}

/** In the order in which they are judged. */
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
  /** Records of undefined length on VM. */
  | { readonly kind: 'undefinedOnVm' }
  | { readonly kind: 'needs'; readonly attribute: FileAttribute; readonly needed: FileAttribute }
  /** The unit is average blocks, and nobody has said how large they are, or the other way round. */
  | { readonly kind: 'needsAverageBlock' | 'needsAverageBlockUnit' };

/** What options there are of a transfer; whether numbers are within their bounds is not asked. */
interface GivenAttributes extends Readonly<Partial<Record<FileAttribute, string | number | undefined>>> {
  readonly direction: 'send' | 'receive';
  readonly host: TransferHost;
}

/** The first rule by which options do not go together. */
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
