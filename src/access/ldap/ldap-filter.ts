import { Filter, FilterParser } from 'ldapts';

/** A search filter (RFC 4515) of the configuration, with places for the user who is asked about. */
export class LdapFilter {
  readonly #template: string;
  /** The same for anybody at all: every assertion with a place in it asks for presence. */
  readonly forAnybody: string;

  /** @throws Error where the text is no filter, or has none of the places; the message names the key */
  constructor(key: string, template: string, places: readonly string[]) {
    this.#template = template.startsWith('(') ? template : `(${template})`;
    if (!places.some((place) => template.includes(`{${place}}`)))
      throw new Error(`${key}: needs ${places.map((place) => `{${place}}`).join(' or ')}`);
    this.forAnybody = this.#template
      // a matching rule (`member:1.2.840.113556.1.4.1941:={dn}`) takes no asterisk
      .replace(/(?::[\w.-]+)+:=\{(?:user|dn)\}/g, '=*')
      .replace(/\{(?:user|dn)\}/g, '*');
    for (const text of [this.fill({ user: 'user', dn: 'cn=user' }), this.forAnybody]) checkFilter(key, text);
  }

  /** All places at once: what is put in one is not looked at for others. */
  fill(values: { readonly user: string; readonly dn: string }): string {
    return this.#template.replace(/\{(user|dn)\}/g, (_place, name: 'user' | 'dn') => Filter.escape(values[name]));
  }
}

/** Entries whose attribute has this value and that pass the filter as well. */
export function withValue(attribute: string, value: string, filter: string): string {
  return `(&(${attribute}=${Filter.escape(value)})${filter})`;
}

function checkFilter(key: string, text: string): void {
  try {
    FilterParser.parseString(text);
    // which takes one that is not closed
    if (text.split('(').length !== text.split(')').length) throw new Error('a parenthesis is missing');
  } catch (cause) {
    throw new Error(`${key}: not a filter as in RFC 4515`, { cause });
  }
}
