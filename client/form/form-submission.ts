import { filled } from '../../src/lib/text/catalogue-text.js';
import type { FieldEncryption } from '../crypto/field-encryption.js';
import { toldWords } from '../terminal/words/told-words.js';
import { formWords } from './form-words.js';
import { pageEncryption } from './page-encryption.js';
import { sessionCodeOf } from './session-address.js';
import { submitOnce } from './submit-once.js';

/** `X-Svc-Request-Id`: number, attention key, time of day (specification 4.2). */
function requestIdOf(number: number, key: string, now: Date): string {
  return `${number} ${key} ${now.toTimeString().slice(0, 8)}`;
}

/**
 * Encrypts the secret fields of a form when it is submitted (specification 2.5). If they cannot be encrypted as the
 * page requires, nothing is sent.
 * @param secrets selector of inputs
 */
export function encryptForm(form: HTMLFormElement, secrets: string): void {
  let encryption: FieldEncryption | undefined;
  let fault: string | undefined;
  try {
    encryption = pageEncryption();
  } catch (error) {
    fault = errorText(error);
    tell(fault);
  }
  enable(form.querySelectorAll<HTMLInputElement>(secrets));
  submitOnce();
  /** True also after sending, until the browser leaves the page. */
  let isSending = false;
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isSending = false;
  });
  form.addEventListener('submit', (event) => {
    const inputs = [...form.querySelectorAll<HTMLInputElement>(secrets)];
    const hasSecrets = inputs.some(({ value }) => value !== '');
    if (fault !== undefined && hasSecrets) {
      event.preventDefault();
      tell(fault);
    } else if (form.dataset.next !== undefined || (encryption !== undefined && hasSecrets)) {
      event.preventDefault();
      if (isSending) return;
      isSending = true;
      void submitByScript(form, event.submitter, inputs, encryption)
        .catch((error: unknown) => {
          tell(errorText(error));
          return false;
        })
        .then((isLeaving) => {
          isSending = isLeaving;
        });
    }
  });
}

/** Pages disable these inputs so that users cannot type without encryption. */
function enable(inputs: Iterable<HTMLInputElement>): void {
  for (const input of inputs) {
    const waitsForFocus = input.disabled && input.autofocus;
    input.disabled = false;
    if (waitsForFocus && document.activeElement === document.body) input.focus();
  }
}

/**
 * Submits by script so that the browser never sends, stores or shows the clear value again.
 * @returns true if the browser is leaving the page
 */
async function submitByScript(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  secrets: readonly HTMLInputElement[],
  encryption: FieldEncryption | undefined,
): Promise<boolean> {
  const button = submitter instanceof HTMLButtonElement ? submitter : undefined;
  const data = new FormData(form);
  if (button !== undefined && button.name !== '') data.set(button.name, button.value);
  const key = String(data.get('pf') ?? 'ENTER');
  const number = Number(form.dataset.requestNumber ?? 1);
  form.dataset.requestNumber = String(number + 1);
  const code = form.dataset.sessionCode ?? sessionCodeOf(form.action);
  if (encryption !== undefined && secrets.some(({ value }) => value !== '')) {
    data.set(form.dataset.sessionKeyField ?? 'SESSKEY', encryption.newSessionKey());
    for (const { name, value } of secrets) data.set(name, encryption.encrypt(value, code, name, String(number)));
    encryption.forget();
  }
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'X-Svc-Request-Id': requestIdOf(number, key, new Date()), Accept: 'application/json' },
    body: new URLSearchParams([...data].map(([name, value]) => [name, String(value)])),
  }).catch(() => {
    throw new Error(formWords().unreachable);
  });
  // the user may need to correct the user ID
  const hidden = secrets.filter(({ type }) => type !== 'text');
  for (const input of hidden) input.value = '';
  // a proxy may answer with an HTML page
  const answer = (await response.json().catch(() => ({}))) as SubmitAnswer;
  const refusal = response.ok
    ? refusalOfHost(form, answer)
    : (toldWords(answer) ?? filled(formWords().answered, { status: response.status }));
  if (refusal !== undefined) {
    tell(refusal);
    hidden[0]?.setAttribute('aria-invalid', 'true');
    hidden[0]?.focus();
    return false;
  }
  location.replace(answer.ended === undefined ? (form.dataset.next ?? form.action) : '/');
  return true;
}

/** The used members of an answer (docs/write/browser-sessions.md). */
interface SubmitAnswer {
  readonly ended?: string;
  readonly locked?: boolean;
  readonly text?: readonly string[];
  readonly fields?: readonly { row: number; column: number; protected: boolean; nonDisplayable: boolean }[];
}

/**
 * Message of the host if the password field is still in its place, so that the user can correct the password.
 * @returns undefined if the host shows another screen
 */
function refusalOfHost(
  { dataset }: HTMLFormElement,
  { locked, fields = [], text = [] }: SubmitAnswer,
): string | undefined {
  const [row, column] = (dataset.staysAt ?? '').split(',').map(Number);
  const isThere = fields.some(
    (field) => field.row === row && field.column === column && field.nonDisplayable && !field.protected,
  );
  if (!isThere || locked === true) return undefined;
  return text[Number(dataset.messageRow) - 1]?.trim() || formWords().notAccepted;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function tell(message: string): void {
  const place = document.querySelector<HTMLElement>('[role="alert"]');
  if (place === null) return;
  place.textContent = message;
  place.hidden = false;
}
