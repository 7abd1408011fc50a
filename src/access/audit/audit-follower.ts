import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../lib/text/messages.js';
import { type ChainPosition, farthestPosition, followChain } from './audit-chain.js';
import type { AuditLine } from './audit-entry.js';
import { archivesOf, type Tail } from './audit-files.js';

export interface CurrentFile {
  readonly handle: FileHandle;
  readonly base: ChainPosition;
  readonly tail: Tail;
}

export type ReadFile = Pick<CurrentFile, 'handle' | 'base'> & { readonly tail: Pick<Tail, 'hash' | 'wholeBytes'> };

interface FollowedPosition extends ChainPosition {
  readonly first: number;
}

/** Verifies that the lines read earlier are unchanged and that lines appended by other processes continue the chain. */
export class ChainFollower {
  readonly #file: string;
  #followed: FollowedPosition | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Requires the lock of the trail.
   * @throws Error if a line was changed, removed, inserted or moved since the last call
   */
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
   * Needs no lock. Another process may be appending, and it removes lines that it cannot keep, so only lines up to the
   * last confirmed one are remembered.
   * @param confirmed sequence number of an entry known to be permanent
   * @throws Error if a line was changed, removed, inserted or moved since the last call
   */
  async look(current: ReadFile, confirmed: number): Promise<void> {
    await this.#lookFrom(this.#followed, current, confirmed, () => {});
  }

  /** Like `look`, but over the same range as at startup. */
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

  began(base: ChainPosition): void {
    this.#followed = { ...base, bytes: 0, first: base.sequence + 1 };
  }

  appended(base: ChainPosition, from: number, to: ChainPosition): void {
    const { first, bytes } = this.#followed ?? {};
    if (bytes === from && first === base.sequence + 1) this.#followed = { ...to, first };
  }

  /**
   * Verifies files archived by other processes, up to the start of the current file.
   * @returns undefined if the last verified file was removed
   */
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
