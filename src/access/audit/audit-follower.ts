import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../lib/text/messages.js';
import { type ChainPosition, farthestPosition, followChain } from './audit-chain.js';
import type { AuditLine } from './audit-entry.js';
import { archivesOf, type Tail } from './audit-files.js';

/** The file of a trail that is appended to. */
export interface CurrentFile {
  readonly handle: FileHandle;
  /** What it goes on from. */
  readonly base: ChainPosition;
  readonly tail: Tail;
}

/** The same without its lock. */
export type ReadFile = Pick<CurrentFile, 'handle' | 'base'> & { readonly tail: Pick<Tail, 'hash' | 'wholeBytes'> };

interface FollowedPosition extends ChainPosition {
  /** Number of the first entry of the file. */
  readonly first: number;
}

/** Sees to it that what a process has seen of a trail stays as it was, and that what others append belongs to it. */
export class ChainFollower {
  readonly #file: string;
  /** Up to where the chain has been followed. */
  #followed: FollowedPosition | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Under the lock of the trail. @throws Error where a line was changed, removed, inserted or moved since the last look */
  async follow(current: CurrentFile): Promise<void> {
    try {
      const position = await this.#followToEnd(current, this.#followed);
      this.#followed = { ...position, first: current.base.sequence + 1 };
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`${this.#file}: nothing is appended: ${reason}`, { cause: error });
    }
  }

  /**
   * Without the lock: another process may be appending, and takes its lines back if they cannot be kept. So only lines up to
   * the last confirmed one are remembered.
   * @param confirmed number of an entry that was kept
   * @throws Error where a line was changed, removed, inserted or moved since the last look
   */
  async look(current: ReadFile, confirmed: number): Promise<void> {
    await this.#lookFrom(this.#followed, current, confirmed, () => {});
  }

  /** The same as far back as a process looks that starts. @param take gets each line */
  async lookAnew(current: ReadFile, confirmed: number, take: (line: AuditLine) => void): Promise<void> {
    await this.#lookFrom(undefined, current, confirmed, take);
  }

  async #lookFrom(
    from: FollowedPosition | undefined,
    current: ReadFile,
    confirmed: number,
    take: (line: AuditLine) => void,
  ): Promise<void> {
    const first = current.base.sequence + 1;
    let reached: ChainPosition | undefined;
    await this.#followToEnd(current, from, (line, position) => {
      take(line);
      if (line.sequence <= confirmed) reached = position;
    });
    if (reached !== undefined && reached.sequence > (this.#followed?.sequence ?? 0))
      this.#followed = { ...reached, first };
  }

  async #followToEnd(
    { handle, base, tail: { wholeBytes, hash } }: ReadFile,
    known: FollowedPosition | undefined,
    take?: (line: AuditLine, position: ChainPosition) => void,
  ): Promise<ChainPosition> {
    let from: ChainPosition | undefined = known;
    if (known !== undefined && known.first !== base.sequence + 1) from = await this.#followArchives(known, base);
    from ??= (await farthestPosition(handle, wholeBytes)) ?? base;
    const followed = await followChain(handle, from, wholeBytes, take);
    if (followed.hash !== hash) throw new Error('its last line was replaced');
    return followed;
  }

  /** This process has begun another file. */
  began(base: ChainPosition): void {
    this.#followed = { ...base, bytes: 0, first: base.sequence + 1 };
  }

  /** This process has written from a place to another one. */
  appended(base: ChainPosition, from: number, to: ChainPosition): void {
    const { first, bytes } = this.#followed ?? {};
    if (bytes === from && first === base.sequence + 1) this.#followed = { ...to, first };
  }

  /** Others have begun another file: to its beginning. @returns undefined where the file that was followed was removed */
  async #followArchives(followed: FollowedPosition, base: ChainPosition): Promise<ChainPosition | undefined> {
    let position: ChainPosition = followed;
    const archives = (await archivesOf(this.#file)).filter(({ first }) => first >= followed.first);
    if (archives[0]?.first !== followed.first) return undefined;
    for (const { path, first } of archives) {
      const handle = await open(path);
      try {
        const { size } = await handle.stat();
        const from = first === followed.first ? position : { ...position, bytes: 0 };
        position = await followChain(handle, from, size);
      } finally {
        await handle.close();
      }
    }
    if (position.hash !== base.hash) throw new Error('the file before it was changed');
    return { ...position, bytes: 0 };
  }
}
