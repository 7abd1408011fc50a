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
 * Encrypts the secret fields of a form when it is submitted (specification 2.5). Where they cannot be encrypted as the page asks
 * for, they are not sent.
 * @param secrets a selector of inputs
 */
export function encryptForm(form: HTMLFormElement, secrets: string): void {
  let encryption: FieldEncryption | undefined;
  let fault: string | undefined;
  try {
    encryption = pageEncryption();
  } catch (error) {
    fault = wordsOf(error);
    tell(fault);
  }
  enable(form.querySelectorAll<HTMLInputElement>(secrets));
  submitOnce();
  /** Or sent, and its page is being left. */
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
          tell(wordsOf(error));
          return false;
        })
        .then((isLeaving) => {
          isSending = isLeaving;
        });
    }
  });
}

/** Pages have the inputs disabled, so that nothing is typed where no script encrypts it. */
function enable(inputs: Iterable<HTMLInputElement>): void {
  for (const input of inputs) {
    const waitsForFocus = input.disabled && input.autofocus;
    input.disabled = false;
    if (waitsForFocus && document.activeElement === document.body) input.focus();
  }
}

/**
 * Sent by script, so that the clear value never stands in what the browser sends, keeps or shows again.
 * @returns whether the page is being left
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
  // a user id is left to be corrected
  const hidden = secrets.filter(({ type }) => type !== 'text');
  for (const input of hidden) input.value = '';
  // a proxy answers with a page
  const answer = (await response.json().catch(() => ({}))) as SubmitAnswer;
  const refusal = response.ok
    ? refusalOfHost(form, answer)
    : (toldWords(answer) ?? formWords().answered.replace('{status}', String(response.status)));
  if (refusal !== undefined) {
    tell(refusal);
    hidden[0]?.setAttribute('aria-invalid', 'true');
    hidden[0]?.focus();
    return false;
  }
  location.replace(answer.ended === undefined ? (form.dataset.next ?? form.action) : '/');
  return true;
}

/** What of an answer is looked at (docs/write/browser-sessions.md). */
interface SubmitAnswer {
  readonly ended?: string;
  readonly locked?: boolean;
  readonly text?: readonly string[];
  readonly fields?: readonly { row: number; column: number; protected: boolean; nonDisplayable: boolean }[];
}

/**
 * What the host says where it still shows the screen that the form stands for: its password field is where the page says. So a
 * wrong password is corrected in the form.
 * @returns undefined where the host has gone on
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where the page has a place for it. */
export function tell(message: string): void {
  const place = document.querySelector<HTMLElement>('[role="alert"]');
  if (place === null) return;
  place.textContent = message;
  place.hidden = false;
}
