import type { PolicySite, User } from './policy-site.js';

/** The ways to act on a host. */
export const surfaces = [
  'form',
  'webSocket',
  'plainForm',
  'json',
  'trial',
  'steps',
  'pool',
  'scenario',
  'connectionScript',
  'macro',
] as const;
export type SurfaceName = (typeof surfaces)[number];

export interface Beginning {
  readonly user?: User | undefined;
  /** By its name. */
  readonly line?: string;
  /** Of a program: not given: a new token with the scope `sessions`, or the user. */
  readonly token?: string;
}

/** A client that acts by one of the ways. Answers are short words: a status with the code of an error, or the kind of a message. */
export interface Acting {
  /** Types into the option field of the menu, and presses Enter. */
  enter(text: string): Promise<string>;
  /** Leaves the command line or a panel. */
  leavePanel(): Promise<string>;
  /** Asks for the screen now, whatever goes on. */
  look(): Promise<void>;
  /** Every screen that the client was shown, as text. */
  readonly shown: readonly string[];
  send(file: string, bytes: Uint8Array, options?: { readonly append: boolean }): Promise<string>;
  receive(file: string): Promise<string>;
  /** Whether the client is offered to transfer files. */
  offersFiles(): Promise<boolean>;
  /** The page of the session, for whatever its scripts do beside this surface. */
  readonly page?: SessionPage;
  end(): Promise<void>;
}

export interface SessionPage {
  /** Begins to send a file that takes its time; resolves when it is under way. */
  sendSlowly(): Promise<{ cancel(): Promise<void> }>;
  /** Asks for the documents of the printer: as this surface is told of them. */
  documents(): Promise<string>;
}

/** @returns the refusal in place of a client */
export type Begin = (site: PolicySite, transaction: string, beginning?: Beginning) => Promise<Acting | string>;

export function begun(acting: Acting | string): Acting {
  if (typeof acting === 'string') throw new Error(`refused: ${acting}`);
  return acting;
}

export const notOffered = () => Promise.reject(new Error('this surface has no such act'));
