/** Something that listens, as the start of the server lists it. */
export interface Listener {
  readonly name: string;
  readonly url: string;
  readonly purpose: string;
}

export const WAITS_FOR_PORT = ' (the port is taken: goes on trying)';
