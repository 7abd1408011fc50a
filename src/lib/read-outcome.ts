/**
 * Result of reading external input: the value, or a description of the fault. Functions that return it do not throw.
 */
export type ReadOutcome<Value> = ReadValue<Value> | ReadFault;

export interface ReadValue<Value> {
  readonly kind: 'read';
  readonly value: Value;
}

export interface ReadFault {
  readonly kind: 'fault';
  readonly fault: string;
}

export function readAs<Value>(value: Value): ReadValue<Value> {
  return { kind: 'read', value };
}

export function readFault(fault: string): ReadFault {
  return { kind: 'fault', fault };
}

/**
 * For input that was checked before.
 * @throws TypeError with the fault
 */
export function soundValue<Value>(outcome: ReadOutcome<Value>): Value {
  if (outcome.kind === 'fault') throw new TypeError(outcome.fault);
  return outcome.value;
}
