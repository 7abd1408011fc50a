export const terminalFaultNames = [
  'delay',
  'disconnect',
  'garbage',
  'split',
  'locked',
  'broadcast',
  'cut-file',
  'bad-file',
  'no-file',
  'slow-file',
] as const;
/** The last two faults apply only to new connections. */
export const faultNames = [...terminalFaultNames, 'busy', 'refuse'] as const;

export type FaultName = (typeof faultNames)[number];

export const faultDescriptions: Readonly<Record<FaultName, string>> = {
  delay: 'every record is sent two seconds late',
  disconnect: 'the connection ends in the middle of the next record',
  garbage: 'the next record is preceded by an invalid one',
  split: 'everything is sent a byte at a time',
  locked: 'the keyboard is never restored',
  broadcast: 'a message of the operators is shown before the next screen',
  'cut-file': 'the connection ends in the middle of a file transfer',
  'bad-file': 'a file transfer contains invalid data',
  'no-file': 'file transfers are refused',
  'slow-file': 'a second passes before each buffer of a file transfer',
  busy: 'every device name is in use',
  refuse: 'connections are accepted and ended at once',
};

export type FaultSwitches = Set<FaultName>;

export function isFaultName(name: string): name is FaultName {
  return (faultNames as readonly string[]).includes(name);
}
