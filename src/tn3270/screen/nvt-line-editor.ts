const LONGEST_TYPED_LINE = 1_024;

export type LineCommand = 'interruptProcess' | 'break';

interface LineEditorPort {
  show(text: string): void;
  eraseLast(): void;
  newLine(): void;
  send(text: string): void;
  sendCommand(command: LineCommand): void;
}

/** Control characters of Unix terminals, named as in `stty`. */
const controls = {
  eof: '\x04',
  erase: '\b',
  kill: '\x15',
  literalNext: '\x16',
  reprint: '\x12',
  wordErase: '\x17',
} as const;
const commands: Readonly<Record<string, LineCommand>> = { '\x03': 'interruptProcess', '\x1c': 'break' };
const DELETE = '\x7f';

export class NvtLineEditor {
  readonly #port: LineEditorPort;
  #typed = '';
  #isLiteral = false;

  constructor(port: LineEditorPort) {
    this.#port = port;
  }

  forget(): void {
    this.#typed = '';
    this.#isLiteral = false;
  }

  /** Adds the text of a key without interpreting control characters. */
  add(text: string): void {
    if (this.#typed.length + text.length > LONGEST_TYPED_LINE) return;
    this.#typed += text;
    this.#port.show(shownLiterally(text));
  }

  take(character: string): void {
    if (this.#isLiteral) {
      this.#isLiteral = false;
      this.add(character);
      return;
    }
    const command = commands[character];
    if (command !== undefined) {
      this.#port.show(shownLiterally(character));
      this.#typed = '';
      this.#port.sendCommand(command);
    } else if (character === '\r' || character === '\n') {
      this.#send('\r\n');
      this.#port.newLine();
    } else if (character === controls.eof) {
      this.#port.show(shownLiterally(character));
      this.#send(character);
    } else if (character === controls.erase || character === DELETE) this.#erase();
    else if (character === controls.kill) while (this.#typed !== '') this.#erase();
    else if (character === controls.wordErase) {
      while (this.#typed.endsWith(' ')) this.#erase();
      while (/[^ ]$/.test(this.#typed)) this.#erase();
    } else if (character === controls.reprint) {
      this.#port.show(shownLiterally(character));
      this.#port.newLine();
      this.#port.show(shownLiterally(this.#typed));
    } else if (character === controls.literalNext) {
      this.#isLiteral = true;
      this.#port.show('^\b');
    } else this.add(character);
  }

  #send(end: string): void {
    this.#port.send(`${this.#typed}${end}`);
    this.#typed = '';
  }

  #erase(): void {
    for (const _ of shownLiterally(this.#typed.slice(-1))) this.#port.eraseLast();
    this.#typed = this.#typed.slice(0, -1);
  }
}

function shownLiterally(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`);
}
