import { addressText } from '../network/address-text.js';
import { MASK } from './secret-text.js';

/** Values of other lengths are found too often by chance, or take too long. */
const SHORTEST_SECRET = 3;
const LONGEST_SECRET = 200;
const MOST_SECRETS = 100;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** In which a secret may stand. */
const FORMS = 15;

/** Values that were met under a name of a secret, and are not to be seen wherever they turn up, in whatever form. */
export class MetSecrets {
  readonly #encode: (text: string) => Uint8Array;
  /** With what they are in lower case. */
  readonly #forms = new Map<string, string>();

  /** @param encode to EBCDIC */
  constructor(encode: (text: string) => Uint8Array) {
    this.#encode = encode;
  }

  add(value: string): void {
    const text = value.trim();
    if (text.length < SHORTEST_SECRET || text.length > LONGEST_SECRET) return;
    if (this.#forms.has(text) || this.#forms.size >= MOST_SECRETS * FORMS) return;
    for (const form of formsOf(text, this.#encode)) this.#forms.set(form, form.toLowerCase());
  }

  /** Whatever stands under a name of a secret, however deep it is. */
  addMembers(value: unknown, isSecret: (name: string) => boolean): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isSecret(name)) this.add(member);
      else this.addMembers(member, isSecret);
    }
  }

  masked(text: string): string {
    const folded = text.toLowerCase();
    // one expression of all forms takes a hundred times as long where there are many
    const present = [...this.#forms].flatMap(([form, foldedForm]) => (folded.includes(foldedForm) ? [form] : []));
    if (present.length === 0) return text;
    const pattern = present
      .sort((one, other) => other.length - one.length)
      .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
      .join('|');
    return text.replace(new RegExp(pattern, 'gi'), MASK);
  }
}

/** As it stands in addresses, in JSON, in XML, in hex and in base64, in ASCII and in EBCDIC. */
function formsOf(text: string, encode: (text: string) => Uint8Array): readonly string[] {
  const bytes = Buffer.from(text);
  const ebcdic = Buffer.from(encode(text));
  return [
    text,
    encodeURIComponent(bytes.toString()),
    addressText(text),
    JSON.stringify(text).slice(1, -1),
    text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
    new URLSearchParams([['', text]]).toString().slice(1),
    ...[bytes, ebcdic].flatMap((one) => [one.toString('hex'), ...base64Of(one)]),
    ebcdic.toString('latin1'),
  ].filter((form) => form.length >= SHORTEST_SECRET);
}

/** Of the three ways in which it may stand in something longer, what is the same whatever stands around it. */
function base64Of(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), whole);
  });
}
