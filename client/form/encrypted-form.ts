import type { FieldEncryption } from '../crypto/field-encryption.js';
import { pageEncryption } from './page-encryption.js';
import { sessionCodeOf } from './session-address.js';

/** `X-Svc-Request-Id`: number, attention key, time of day (specification 4.2). */
export function requestIdOf(number: number, key: string, now: Date): string {
  return `${number} ${key} ${now.toTimeString().slice(0, 8)}`;
}

/**
 * Encrypts the fields marked VCRYPT of a page's forms when they are submitted (specification 2.5). A page without JavaScript cannot,
 * and its submit is refused.
 */
function encryptForms(): void {
  let encryption: FieldEncryption | undefined;
  try {
    encryption = pageEncryption();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]')) {
    form.addEventListener('submit', (event) => {
      if (encryption === undefined) return;
      event.preventDefault();
      void submitEncrypted(form, event.submitter, encryption).catch((error: unknown) =>
        tell(error instanceof Error ? error.message : String(error)),
      );
    });
  }
}

/** Sent by script, so that the clear value never stands in what the browser sends, keeps or shows again. */
async function submitEncrypted(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  encryption: FieldEncryption,
): Promise<void> {
  const button = submitter instanceof HTMLButtonElement ? submitter : undefined;
  const data = new FormData(form);
  if (button !== undefined && button.name !== '') data.set(button.name, button.value);
  const key = String(data.get('pf') ?? 'ENTER');
  const number = Number(form.dataset.requestNumber ?? 1);
  form.dataset.requestNumber = String(number + 1);
  const code = sessionCodeOf(form.action);
  const secrets = [...form.querySelectorAll<HTMLInputElement>('input[vcrypt]')];
  if (secrets.some(({ value }) => value !== '')) {
    data.set(form.dataset.sessionKeyField ?? 'SESSKEY', encryption.newSessionKey());
    for (const { name, value } of secrets) data.set(name, encryption.encrypt(value, code + name + number));
    encryption.forget();
  }
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'X-Svc-Request-Id': requestIdOf(number, key, new Date()), Accept: 'application/json' },
    body: new URLSearchParams([...data].map(([name, value]) => [name, String(value)])),
  });
  for (const input of secrets) input.value = '';
  const answer = (await response.json()) as { message?: string; ended?: string };
  if (!response.ok) {
    tell(answer.message ?? `The server answers with ${response.status}.`);
    secrets[0]?.focus();
    return;
  }
  location.replace(answer.ended === undefined ? (form.dataset.next ?? form.action) : '/');
}

function tell(message: string): void {
  const place = document.querySelector('[role="alert"]');
  if (place !== null) place.textContent = message;
}

encryptForms();
