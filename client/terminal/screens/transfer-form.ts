import { labelled, make } from '../macros/dialog.js';
import { sizeText, userLocale } from '../words/locale.js';
import { type WordKey, words } from '../words/words.js';
import type { TransferChoices } from './transfer-requests.js';

type Direction = 'send' | 'receive';
type Host = 'tso' | 'vm' | 'cics';

const hosts: readonly (readonly [Host, string])[] = [
  ['tso', 'TSO'],
  ['vm', 'VM/CMS'],
  ['cics', 'CICS'],
];
const exampleOf: Readonly<Record<Host, string>> = { tso: 'SOURCE.COBOL', vm: 'PROFILE EXEC A', cics: 'NOTES' };

const last: { direction: Direction; host: Host; mode: string } = { direction: 'send', host: 'tso', mode: 'text' };

/** A parameter of the query; omitted if empty. */
interface NumberField {
  readonly name: string;
  readonly input: HTMLInputElement;
}

export class TransferForm {
  readonly element: HTMLFieldSetElement;
  readonly #mostBytes: number;
  readonly #directions: readonly HTMLInputElement[];
  readonly #file = make('input', { type: 'file' });
  readonly #chosen = make('p', { className: 'quiet' });
  readonly #hostFile = make('input', { type: 'text', maxLength: 80, autocomplete: 'off', spellcheck: false });
  readonly #host = choice(hosts, last.host);
  readonly #mode = choice(
    [
      ['text', words('transfer.text')],
      ['binary', words('transfer.binary')],
    ],
    last.mode,
  );
  readonly #lines = checkbox(true);
  readonly #remap = checkbox(true);
  readonly #append = checkbox(false);
  readonly #recordFormat = choice(
    [
      ['', words('transfer.asUsual')],
      ['fixed', words('transfer.fixed')],
      ['variable', words('transfer.variable')],
      ['undefined', words('transfer.undefined')],
    ],
    '',
  );
  readonly #spaceUnit = choice(
    [
      ['', words('transfer.blocks')],
      ['tracks', words('transfer.tracks')],
      ['cylinders', words('transfer.cylinders')],
      ['avblock', words('transfer.averageBlocks')],
    ],
    '',
  );
  readonly #numbers: readonly NumberField[] = [
    'recordLength',
    'blockSize',
    'primarySpace',
    'secondarySpace',
    'averageBlock',
  ].map((name) => ({ name, input: make('input', { type: 'text', inputMode: 'numeric', maxLength: 9 }) }));
  readonly #other = make('input', { type: 'text', maxLength: 200, autocomplete: 'off', spellcheck: false });
  #taken: File | undefined;
  #isProposed = true;
  readonly #sentOnly: HTMLElement[] = [];
  readonly #textOnly: HTMLElement[] = [];
  readonly #tsoOnly: HTMLElement[] = [];
  readonly #attributes: HTMLElement;
  readonly #averageBlock: HTMLElement | undefined;

  constructor(mostBytes: number, changed: () => void) {
    this.#mostBytes = mostBytes;
    const direction = (value: Direction, text: string) => {
      const input = make('input', { type: 'radio', name: 'transfer-direction', value });
      input.checked = last.direction === value;
      return [input, make('label', { className: 'choice' }, input, ` ${text}`)] as const;
    };
    const [send, sendLabel] = direction('send', words('transfer.send'));
    const [receive, receiveLabel] = direction('receive', words('transfer.receive'));
    this.#directions = [send, receive];
    this.#file.addEventListener('change', () => {
      const [file] = this.#file.files ?? [];
      if (file !== undefined) this.take(file);
    });
    this.#hostFile.addEventListener('input', () => {
      this.#isProposed = this.#hostFile.value === '';
    });
    const fileRow = labelled(words('transfer.file', { bytes: sizeText(mostBytes) }), this.#file);
    fileRow.append(this.#chosen);
    const lines = ticked(this.#lines, words('transfer.lines'));
    const remap = ticked(this.#remap, words('transfer.remap'));
    const append = ticked(this.#append, words('transfer.append'));
    this.#textOnly.push(lines, remap);
    const recordFormat = labelled(words('transfer.recordFormat'), this.#recordFormat);
    const numberRows = this.#numbers.map(({ name, input }) => labelled(words(`transfer.${name}` as WordKey), input));
    const [recordLength, blockSize, ...space] = numberRows;
    const spaceUnit = labelled(words('transfer.spaceUnit'), this.#spaceUnit);
    const [primary, secondary, averageBlock] = space;
    this.#tsoOnly.push(...[blockSize, primary, secondary, spaceUnit].filter((row) => row !== undefined));
    this.#averageBlock = averageBlock;
    const fields = [recordFormat, recordLength, blockSize, spaceUnit, primary, secondary, averageBlock];
    this.#attributes = make('div', { className: 'attributes' }, ...fields);
    this.#sentOnly.push(fileRow, append, this.#attributes);
    this.element = make(
      'fieldset',
      { className: 'transfer-form', ariaLabel: words('transfer.title') },
      sendLabel,
      receiveLabel,
      fileRow,
      labelled(words('transfer.hostFile'), this.#hostFile),
      make(
        'div',
        { className: 'pair' },
        labelled(words('transfer.host'), this.#host),
        labelled(words('transfer.mode'), this.#mode),
      ),
      lines,
      append,
      make(
        'details',
        {},
        make('summary', {}, words('transfer.more')),
        remap,
        this.#attributes,
        labelled(words('transfer.otherOptions'), this.#other),
      ),
    );
    this.element.addEventListener('input', () => {
      this.#follow();
      changed();
    });
    this.#follow();
  }

  get first(): HTMLElement | undefined {
    if (this.#direction === 'receive') return this.#hostFile;
    return this.#taken === undefined ? this.#file : this.#hostFile;
  }

  get hostFile(): string {
    return this.#hostFile.value.trim();
  }

  get file(): File | undefined {
    return this.#direction === 'send' ? this.#taken : undefined;
  }

  take(file: File): void {
    this.#taken = file;
    for (const input of this.#directions) input.checked = input.value === 'send';
    const size = file.size.toLocaleString(userLocale());
    this.#chosen.textContent = words('transfer.chosen', { name: file.name, bytes: size });
    if (this.#isProposed) this.#hostFile.value = proposedName(file.name, this.#host.value as Host);
    this.#follow();
    this.element.dispatchEvent(new Event('input'));
  }

  fault(): string | undefined {
    const { file, hostFile } = this;
    if (this.#direction === 'send' && file === undefined) return words('transfer.noFile');
    if (file !== undefined && file.size > this.#mostBytes) {
      return words('transfer.tooLarge', { bytes: sizeText(this.#mostBytes) });
    }
    return hostFile === '' ? words('transfer.noName') : undefined;
  }

  /** Options for the server, without the direction. */
  choices(): TransferChoices {
    const isText = this.#mode.value === 'text';
    const sends = this.#direction === 'send';
    Object.assign(last, { direction: this.#direction, host: this.#host.value, mode: this.#mode.value });
    const given: [string, string][] = [
      ['file', this.hostFile],
      ['host', this.#host.value],
      ['mode', this.#mode.value],
    ];
    if (isText) given.push(['lines', yesOrNo(this.#lines)], ['remap', yesOrNo(this.#remap)]);
    if (sends) {
      given.push(['append', yesOrNo(this.#append)], ['recordFormat', this.#recordFormat.value]);
      given.push(...this.#numbers.map(({ name, input }) => [name, input.value.trim()] as [string, string]));
      given.push(['spaceUnit', this.#spaceUnit.value]);
    }
    given.push(['otherOptions', this.#other.value.trim()]);
    // hidden fields belong to another host type
    const hidden = new Set(this.#numbers.filter(({ input }) => input.closest('[hidden]')).map(({ name }) => name));
    if (this.#spaceUnit.closest('[hidden]')) hidden.add('spaceUnit');
    if (this.#recordFormat.closest('[hidden]')) hidden.add('recordFormat');
    return Object.fromEntries(given.filter(([name, value]) => value !== '' && !hidden.has(name)));
  }

  nameHere(): string {
    const plain = this.hostFile.replaceAll(/['"\\/:*?<>|]/g, '').trim();
    return this.#host.value === 'vm' ? plain.split(/\s+/).slice(0, 2).join('.') : plain;
  }

  get #direction(): Direction {
    return this.#directions[0]?.checked === true ? 'send' : 'receive';
  }

  #follow(): void {
    const sends = this.#direction === 'send';
    const host = this.#host.value as Host;
    this.#hostFile.placeholder = exampleOf[host];
    for (const row of this.#textOnly) row.hidden = this.#mode.value !== 'text';
    for (const row of this.#tsoOnly) row.hidden = host !== 'tso';
    for (const row of this.#sentOnly) row.hidden = !sends;
    this.#attributes.hidden = !sends || host === 'cics';
    if (this.#averageBlock !== undefined)
      this.#averageBlock.hidden = host !== 'tso' || this.#spaceUnit.value !== 'avblock';
  }
}

function choice(values: readonly (readonly [string, string])[], usual: string): HTMLSelectElement {
  const select = make(
    'select',
    {},
    ...values.map(([value, text]) => make('option', { value, selected: value === usual }, text)),
  );
  return select;
}

function checkbox(checked: boolean): HTMLInputElement {
  return make('input', { type: 'checkbox', checked });
}

function ticked(box: HTMLInputElement, text: string): HTMLElement {
  return make('label', { className: 'choice' }, box, ` ${text}`);
}

function yesOrNo({ checked }: HTMLInputElement): string {
  return checked ? 'yes' : 'no';
}

function proposedName(name: string, host: Host): string {
  const parts = name
    .toUpperCase()
    .split('.')
    .map((part) => part.replaceAll(/[^A-Z0-9@#$]/g, '').slice(0, 8))
    .filter((part) => part !== '');
  if (host === 'vm') return [parts[0] ?? '', parts.at(-1) ?? 'FILE', 'A'].join(' ');
  if (host === 'cics') return parts.join('.');
  // qualifiers of data sets cannot start with a digit
  return parts.map((part) => (/^\d/.test(part) ? `F${part.slice(0, 7)}` : part)).join('.');
}
