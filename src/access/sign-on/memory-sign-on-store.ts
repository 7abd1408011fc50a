import { foldedName } from '../users/security-name.js';
import {
  MOST_SIGN_ONS,
  type ReplacedSignOn,
  SIGN_ONS_PER_USER,
  type SignOnRecord,
  type SignOnStore,
} from './sign-on-store.js';

export class MemorySignOnStore implements SignOnStore {
  /** Oldest first. */
  readonly #records = new Map<string, SignOnRecord>();
  /** Oldest first. */
  readonly #ofUsers = new Map<string, Set<string>>();
  readonly #mostOfUser: number;

  constructor(mostOfUser = SIGN_ONS_PER_USER) {
    this.#mostOfUser = mostOfUser;
  }

  async add(record: SignOnRecord, now: number): Promise<readonly ReplacedSignOn[]> {
    const replaced: ReplacedSignOn[] = [];
    const folded = foldedName(record.userName);
    for (const id of [...(this.#ofUsers.get(folded) ?? [])]) this.#current(id, now);
    const ofUser = this.#ofUsers.get(folded) ?? new Set();
    if (ofUser.size >= this.#mostOfUser) replaced.push(...this.#replaceFirst(ofUser, 'perUser'));
    if (this.#records.size >= MOST_SIGN_ONS) for (const id of [...this.#records.keys()]) this.#current(id, now);
    if (this.#records.size >= MOST_SIGN_ONS) replaced.push(...this.#replaceFirst(this.#records.keys(), 'ofAll'));
    this.#records.set(record.id, record);
    this.#ofUsers.set(folded, (this.#ofUsers.get(folded) ?? new Set()).add(record.id));
    return replaced;
  }

  async touch(id: string, now: number, idleUntil: number): Promise<SignOnRecord | undefined> {
    const kept = this.#current(id, now);
    if (kept === undefined) return undefined;
    const touched = { ...kept, idleUntil: Math.max(kept.idleUntil, idleUntil) };
    this.#records.set(id, touched);
    return touched;
  }

  async remove(id: string, now: number): Promise<SignOnRecord | undefined> {
    const kept = this.#current(id, now);
    this.#forget(id);
    return kept;
  }

  #current(id: string, now: number): SignOnRecord | undefined {
    const kept = this.#records.get(id);
    if (kept === undefined || (now < kept.until && now < kept.idleUntil)) return kept;
    this.#forget(id);
    return undefined;
  }

  #replaceFirst(ids: Iterable<string>, bound: ReplacedSignOn['bound']): readonly ReplacedSignOn[] {
    const [id = ''] = ids;
    const first = this.#records.get(id);
    if (first === undefined) return [];
    this.#forget(id);
    return [{ id, userName: first.userName, bound }];
  }

  #forget(id: string): void {
    const kept = this.#records.get(id);
    if (kept === undefined) return;
    this.#records.delete(id);
    const folded = foldedName(kept.userName);
    const ofUser = this.#ofUsers.get(folded);
    ofUser?.delete(id);
    if (ofUser?.size === 0) this.#ofUsers.delete(folded);
  }
}
