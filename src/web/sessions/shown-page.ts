import { CODES_KEPT } from '../../sessions/session-registry.js';
import type { TemplateUses } from '../../templates/compiled-template.js';
import type { OfferedChoice } from '../../templates/page-declarations.js';

/** Facts about a session's last page that are needed to interpret its submit. */
export interface ShownPage {
  readonly uses: TemplateUses | undefined;
  readonly fieldNames: ReadonlyMap<string, number>;
  readonly offeredFields: readonly number[];
  /** Allowed values of lists and check boxes, by the address of their fields. */
  readonly offeredChoices: ReadonlyMap<number, OfferedChoice>;
  readonly revision: number;
  /** Page to return to; empty for the entry point's page. */
  readonly name: string;
}

const nothingOffered = { offeredFields: [], offeredChoices: new Map() } as const;
const noPage: ShownPage = { uses: undefined, fieldNames: new Map(), ...nothingOffered, revision: -1, name: '' };

/** The last page shown by one session, and the revisions shown by its pages with their own code. */
export class ShownPages {
  #page = noPage;
  #begun = 0;
  /** Order of `#page`. */
  #order = 0;
  /** Revisions by SESSION-CODE, newest last. */
  #revisions: Map<string, number> | undefined;

  get page(): ShownPage {
    return this.#page;
  }

  /** Called when rendering starts. @returns order among the pages of the session */
  begin(): number {
    return ++this.#begun;
  }

  /** Keeps the page that was started last, because rendering in turns may finish an older page later. */
  remember(page: ShownPage, order: number): void {
    if (order < this.#order) return;
    this.#order = order;
    this.#page = page;
  }

  rememberRevision(revision: number, name: string): void {
    this.remember({ ...this.#page, ...nothingOffered, revision, name }, this.begin());
  }

  rememberCode(code: string, revision: number): void {
    this.#revisions ??= new Map();
    this.#revisions.set(code, revision);
    for (const oldest of this.#revisions.keys()) {
      if (this.#revisions.size <= CODES_KEPT) break;
      this.#revisions.delete(oldest);
    }
  }

  revisionOf(code: string): number {
    return this.#revisions?.get(code) ?? this.#page.revision;
  }
}
