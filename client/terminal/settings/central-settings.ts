import type { TerminalSettings } from '../../../src/terminal/settings/terminal-settings.js';
import { words } from '../words/words.js';
import { refusalOf, settingsOfText } from './own-settings.js';
import { type SettingChange, withChanges } from './settings-changes.js';

const PLACE = '/w2h/user/settings.json';
const MOST_ATTEMPTS = 3;

type Own = Partial<TerminalSettings>;

type Read = { readonly kind: 'read'; readonly own: Own } | { readonly kind: 'notRead' };

type SaveOutcome =
  | { readonly kind: 'saved'; readonly own: Own }
  | { readonly kind: 'notSaved'; readonly reason: string };

export class CentralSettings {
  /** Of the last version read or saved; undefined if there is none. */
  #etag: string | undefined;

  async read(): Promise<Read> {
    const answer = await request({ headers: { accept: 'application/json' } });
    if (answer === undefined) return { kind: 'notRead' };
    if (answer.status === 404) {
      this.#etag = undefined;
      return { kind: 'read', own: {} };
    }
    const own = answer.ok ? settingsOfText(await answer.text()) : undefined;
    if (own === undefined) return { kind: 'notRead' };
    this.#etag = answer.headers.get('etag') ?? undefined;
    return { kind: 'read', own };
  }

  /** @param known last known version @param changes applied to it, and again after a conflict with another browser */
  async save(known: Own, changes: readonly SettingChange[]): Promise<SaveOutcome> {
    let wanted = withChanges(known, changes);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const refusal = refusalOf(wanted);
      if (refusal !== undefined) return { kind: 'notSaved', reason: refusal };
      const expected: Record<string, string> =
        this.#etag === undefined ? { 'if-none-match': '*' } : { 'if-match': this.#etag };
      const answer = await request({
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...expected },
        body: JSON.stringify(wanted),
      });
      if (answer === undefined) return { kind: 'notSaved', reason: words('settings.unreachable') };
      if (answer.ok) {
        this.#etag = answer.headers.get('etag') ?? undefined;
        return { kind: 'saved', own: wanted };
      }
      if (answer.status !== 412) return { kind: 'notSaved', reason: reasonOf(answer.status) };
      const newer = await this.read();
      if (newer.kind === 'notRead') return { kind: 'notSaved', reason: words('settings.unreachable') };
      wanted = withChanges(newer.own, changes);
    }
    return { kind: 'notSaved', reason: words('settings.savedElsewhere') };
  }
}

function reasonOf(status: number): string {
  return status === 401 || status === 403 ? words('settings.signOnEnded') : words('settings.answered', { status });
}

function request(options: RequestInit): Promise<Response | undefined> {
  // the request survives leaving the page
  return fetch(PLACE, { credentials: 'same-origin', cache: 'no-cache', keepalive: true, ...options }).catch(
    () => undefined,
  );
}
