import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../error-message.js';
import { type ChainPosition, farthestPosition, followChain } from './audit-chain.js';
import { archivesOf } from './audit-files.js';
import type { Tail } from './audit-tail.js';

/** The file of a trail that is appended to. */
export interface CurrentFile {
  readonly handle: FileHandle;
  /** What it goes on from. */
  readonly base: ChainPosition;
  readonly tail: Tail;
}

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

  /** @throws Error where a line was changed, removed, inserted or moved since this process looked last */
  async follow({ handle, base, tail: { wholeBytes, hash } }: CurrentFile): Promise<void> {
    const first = base.sequence + 1;
    try {
      let from: ChainPosition | undefined = this.#followed;
      if (this.#followed !== undefined && this.#followed.first !== first) {
        from = await this.#followArchives(this.#followed, base);
      }
      from ??= (await farthestPosition(handle, wholeBytes)) ?? base;
      const followed = await followChain(handle, from, wholeBytes);
      if (followed.hash !== hash) throw new Error('its last line was replaced');
      this.#followed = { ...followed, first };
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`${this.#file}: nothing is appended: ${reason}`, { cause: error });
    }
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
