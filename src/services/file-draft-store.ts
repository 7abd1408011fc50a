import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/files/private-path.js';
import { namesIn, replaceFile } from '../lib/files/replace-file.js';
import { type DraftStore, MOST_DRAFTS, MOST_DRAFTS_OF_USER, type ServiceDraft } from './draft-store.js';

export const DRAFTS_NAME = 'services-drafts';

const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/;
const isId = (id: string) => FILE.test(`${id}.json`);

/** Stores each draft as a JSON file. Only one process may write to the folder. */
export class FileDraftStore implements DraftStore {
  readonly #folder: string;
  /** Serializes changes, so that each one counts the drafts that the previous one left. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param folder created when the first draft is stored */
  constructor(folder: string) {
    this.#folder = folder;
  }

  add(draft: ServiceDraft): Promise<boolean> {
    return this.#inTurn(async () => {
      const known = await this.list();
      const isFull = known.length >= MOST_DRAFTS;
      if (isFull || known.filter(({ user }) => user === draft.user).length >= MOST_DRAFTS_OF_USER) return false;
      await makePrivateFolder(this.#folder);
      await replaceFile(join(this.#folder, `${draft.id}.json`), JSON.stringify(draft));
      return true;
    });
  }

  async list(): Promise<readonly ServiceDraft[]> {
    const ids = (await namesIn(this.#folder)).flatMap((name) => FILE.exec(name)?.[1] ?? []);
    const drafts = await Promise.all(ids.map((id) => this.read(id)));
    return drafts.filter((draft) => draft !== undefined).sort((one, other) => other.storedAt - one.storedAt);
  }

  async read(id: string): Promise<ServiceDraft | undefined> {
    if (!isId(id)) return undefined;
    try {
      return draftOf(JSON.parse(await readFile(join(this.#folder, `${id}.json`), 'utf8')), id);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  remove(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if ((await this.read(id)) === undefined) return false;
      await rm(join(this.#folder, `${id}.json`), { force: true });
      return true;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function draftOf(value: unknown, id: string): ServiceDraft | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, user, storedAt, screens, service } = value as Record<string, unknown>;
  const isDraft =
    [name, user, screens, service].every((one) => typeof one === 'string') && typeof storedAt === 'number';
  return isDraft ? ({ id, name, user, storedAt, screens, service } as ServiceDraft) : undefined;
}
