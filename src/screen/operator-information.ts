import type { ProgramCheck } from '../datastream/program-checks.js';

/**
 * What the operator did that the terminal cannot do; the keyboard is locked until Reset. The names are those of the symbols
 * in the operator information area (GA27-2827, "Operator information area").
 */
export const operatorErrors = {
  /** X <-o->: the position is protected or is a field attribute. */
  protected: 'goElsewhere',
  /** X o NUM: the field takes digits, minus and full stop. */
  numeric: 'numericField',
  /** X o>: no room to insert. */
  overflow: 'tooMuchEntered',
  /** X DBCS: the character cannot stand there. */
  doubleByte: 'doubleByteCharacter',
  /** X -f: the function is not available now. */
  minusFunction: 'minusFunction',
  /** X o MF: a field that must be filled is not. */
  mandatoryFill: 'mandatoryFill',
  /** X o ME: a field that must be entered is empty. */
  mandatoryEntry: 'mandatoryEntry',
} as const;

export type OperatorError = (typeof operatorErrors)[keyof typeof operatorErrors];

/** Whether, and why, the keyboard takes nothing. */
export class OperatorInformation {
  /** X SYSTEM: a key went to the host, and the host has not restored the keyboard. */
  waitingForHost = false;
  operatorError: OperatorError | undefined;
  /** X PROG: what was wrong with a record of the host. It stays, whatever the host writes, until Reset. */
  programCheck: ProgramCheck | undefined;
  /** How many there were. */
  programCheckCount = 0;
  /** There is no host to type for. */
  noPartner = true;
  insertMode = false;

  get keyboardLocked(): boolean {
    return this.noPartner || this.waitingForHost || this.operatorError !== undefined || this.programCheck !== undefined;
  }

  /** A record could not be carried out: whether another answer will come, nobody knows. */
  checkProgram(check: ProgramCheck): void {
    this.programCheck = check;
    this.programCheckCount++;
    this.waitingForHost = false;
  }

  /** The keyboard as the host's restore leaves it. */
  unlock(): void {
    this.waitingForHost = false;
    this.operatorError = undefined;
    this.insertMode = false;
  }
}
