/** What a call says that reads what people or programs write: the value, or in words what is wrong. It throws nothing. */
export type ReadOutcome<Value> = { readonly kind: 'read'; readonly value: Value } | ReadFault;

export interface ReadFault {
  readonly kind: 'fault';
  readonly fault: string;
}

export function readAs<Value>(value: Value): ReadOutcome<Value> {
  return { kind: 'read', value };
}

export function readFault(fault: string): ReadFault {
  return { kind: 'fault', fault };
}

/**
 * The value of what has been checked before.
 * @throws TypeError with the fault
 */
export function soundValue<Value>(outcome: ReadOutcome<Value>): Value {
  if (outcome.kind === 'fault') throw new TypeError(outcome.fault);
  return outcome.value;
}
