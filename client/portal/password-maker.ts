/** No characters that look alike. 20 of them are 115 bits. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 20;

/** The password is sent like a typed one. */
export function makePasswordsWith(button: HTMLButtonElement): void {
  const shown = document.createElement('output');
  shown.className = 'secret';
  shown.hidden = true;
  button.after(shown);
  button.addEventListener('click', (event) => {
    event.preventDefault();
    const password = madePassword();
    for (const input of button.form?.querySelectorAll<HTMLInputElement>('input[type="password"]') ?? []) {
      input.value = password;
    }
    shown.textContent = password;
    shown.hidden = false;
  });
  button.form?.addEventListener('input', () => {
    shown.textContent = '';
    shown.hidden = true;
  });
}

function madePassword(): string {
  let password = '';
  while (password.length < LENGTH) {
    const [number = 0] = crypto.getRandomValues(new Uint8Array(1));
    // rejects bytes that would favour some characters
    if (number < CHARACTERS.length * Math.floor(256 / CHARACTERS.length)) {
      password += CHARACTERS[number % CHARACTERS.length];
    }
  }
  return password;
}
