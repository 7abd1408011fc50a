/**
 * The numbers that a terminal shows behind X PROG where a record of the host cannot be carried out, as IBM's terminals and
 * emulators give them.
 */
export const programChecks = {
  /** No command, or none that this device takes. */
  command: 750,
  /** An address that the presentation space does not have. */
  address: 752,
  /** An order that asks for more than it may. */
  order: 753,
  /** An order that is cut short. */
  missingParameter: 754,
  /** A code that no character of this terminal has. */
  characterCode: 755,
  structuredField: 756,
  replyMode: 758,
  structuredFieldLength: 759,
  partition: 761,
  /** Shift-out and shift-in that are no pair. */
  shifts: 797,
  /** What has no place among double-byte characters. */
  amongDoubleBytes: 798,
  /** Half a double-byte character, or one that is none. */
  doubleByteCharacter: 799,
} as const;

export type ProgramCheck = (typeof programChecks)[keyof typeof programChecks];
