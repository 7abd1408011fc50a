export class Keypad {
  readonly #pad: HTMLElement;
  readonly #buttons: HTMLButtonElement[] = [];

  constructor(pad: HTMLElement, button: HTMLButtonElement) {
    this.#pad = pad;
    pad.hidden = true;
    button.hidden = false;
    this.#add(button);
  }

  anotherButton(): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = this.#buttons[0]?.textContent ?? '';
    this.#add(button);
    return button;
  }

  focus(): void {
    this.#buttons.find(({ offsetParent }) => offsetParent !== null)?.focus();
  }

  #add(button: HTMLButtonElement): void {
    this.#buttons.push(button);
    button.addEventListener('click', () => this.#toggle());
    this.#tell(button);
  }

  #toggle(): void {
    this.#pad.hidden = !this.#pad.hidden;
    this.#buttons.forEach(this.#tell, this);
    this.#pad.scrollIntoView({ block: 'nearest' });
  }

  #tell(button: HTMLButtonElement): void {
    button.setAttribute('aria-expanded', String(!this.#pad.hidden));
  }
}
