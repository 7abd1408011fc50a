/** Commands of the host: the first byte of an outbound record (GA23-0059, chapter 3). */
export type Command =
  | 'write'
  | 'eraseWrite'
  | 'eraseWriteAlternate'
  | 'eraseAllUnprotected'
  | 'readBuffer'
  | 'readModified'
  | 'readModifiedAll'
  | 'writeStructuredField'
  | 'noOperation';

interface CommandCodes {
  /** Channel command word of a local, non-SNA connection. */
  readonly ccw: number;
  /** Code of an SNA connection; a no-operation has none. */
  readonly sna?: number;
}

/** Both codes are valid on every connection, whatever was negotiated. */
export const commandCodes: Readonly<Record<Command, CommandCodes>> = {
  write: { ccw: 0x01, sna: 0xf1 },
  eraseWrite: { ccw: 0x05, sna: 0xf5 },
  eraseWriteAlternate: { ccw: 0x0d, sna: 0x7e },
  eraseAllUnprotected: { ccw: 0x0f, sna: 0x6f },
  readBuffer: { ccw: 0x02, sna: 0xf2 },
  readModified: { ccw: 0x06, sna: 0xf6 },
  readModifiedAll: { ccw: 0x0e, sna: 0x6e },
  writeStructuredField: { ccw: 0x11, sna: 0xf3 },
  noOperation: { ccw: 0x03 },
};

const commandOfCode: ReadonlyMap<number, Command> = new Map(
  (Object.keys(commandCodes) as Command[]).flatMap((command) => {
    const { ccw, sna } = commandCodes[command];
    const codes: Array<readonly [number, Command]> = [[ccw, command]];
    if (sna !== undefined) codes.push([sna, command]);
    return codes;
  }),
);

export function findCommand(code: number): Command | undefined {
  return commandOfCode.get(code);
}

/** Bits of the write control character (GA23-0059, chapter 3, "WCC"). */
export const writeControls = {
  reset: 0x40,
  startPrinter: 0x08,
  soundAlarm: 0x04,
  restoreKeyboard: 0x02,
  resetModified: 0x01,
} as const;
