import type { ProgramCheck } from '../datastream/data-stream-handler.js';
import type { OperatorError } from '../keyboard/operator-errors.js';

/** Whether, and why, the keyboard takes nothing. */
export class OperatorInformation {
  #sent = false;
  #isSystemLocked = false;
  /** The host has asked what the terminal can do, and will write next: keys are typed ahead until it does. */
  queried = false;
  /** A host that was met, or is unbound, has to write first: keys are typed ahead until it does. */
  awaitsFirstWrite = false;
  /** Contention resolution: the application has not said SEND-DATA, or has sent a BID since. Keys are typed ahead until it does. */
  hostHasTurn = false;
  /** The services of a host take text regardless of the application's turn. */
  isWithServices = false;
  operatorError: OperatorError | undefined;
  /** X PROG: what was wrong with a record of the host. It stays, whatever the host writes, until Reset. */
  programCheck: ProgramCheck | undefined;
  /** How many there were. */
  programCheckCount = 0;
  /** There is no host to type for. */
  noPartner = true;
  insertMode = false;
  /** What insert mode is where it ends. */
  alwaysInserts = false;
  /** A file is on its way: the screen is the transfer's. */
  transferring = false;

  /** A key went to the host, and the host has not restored the keyboard. */
  get waitingForHost(): boolean {
    return this.#sent || this.queried || this.awaitsFirstWrite || this.#isHostsTurn;
  }

  set waitingForHost(waits: boolean) {
    this.#sent = waits;
    this.#isSystemLocked = false;
    if (!waits) this.queried = false;
  }

  /** Why the host has the keyboard: a key went to the host, the host wrote since, the host only asked, or the host has the turn. */
  get hostLock(): 'time' | 'system' | 'query' | 'bid' | undefined {
    if (this.#isSystemLocked) return 'system';
    if (this.#sent) return 'time';
    if (this.queried) return 'query';
    return this.#isHostsTurn ? 'bid' : undefined;
  }

  get #isHostsTurn(): boolean {
    return this.hostHasTurn && !this.isWithServices;
  }

  /** The host has written, and not restored the keyboard. */
  keepLocked(): void {
    this.#isSystemLocked = this.#sent;
  }

  get keyboardLocked(): boolean {
    const { noPartner, waitingForHost, transferring, operatorError, programCheck } = this;
    return noPartner || waitingForHost || transferring || operatorError !== undefined || programCheck !== undefined;
  }

  /** A record could not be carried out; it is unknown whether another answer will follow. */
  checkProgram(check: ProgramCheck): void {
    this.programCheck = check;
    this.programCheckCount++;
    this.waitingForHost = false;
  }

  /** The keyboard as the host's restore leaves it. */
  unlock(): void {
    this.waitingForHost = false;
    this.operatorError = undefined;
    this.endInsertMode();
  }

  endInsertMode(): void {
    this.insertMode = this.alwaysInserts;
  }
}
